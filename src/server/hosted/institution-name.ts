import { fileInstitutionId, simplefinInstitutionId } from '../../institution-list/built-in.ts'
import type { Texts } from './texts/texts.ts'

interface Named {
  institution_id: string
  name: string
}

/** Whether it stands for every bank, so that its name is a sentence of the pages. */
export const isAnyBank = (institution: Pick<Named, 'institution_id'> | null): boolean =>
  institution?.institution_id === fileInstitutionId

/** What the pages call an institution. */
export const institutionName = ({ file }: Texts, institution: Named): string =>
  isAnyBank(institution) ? file.choice : institution.name

/** What users may not know about an institution of the built-in list. */
export const institutionHint = (
  { simplefin }: Texts,
  { institution_id }: Pick<Named, 'institution_id'>,
): string | undefined => (institution_id === simplefinInstitutionId ? simplefin.choice : undefined)
