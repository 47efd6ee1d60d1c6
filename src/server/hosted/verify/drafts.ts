import type { IdentityVerificationAddress } from '#contract/closed.ts'
import type { DocumentKind } from '../../identity-verification/evidence.ts'
import type { VerificationSessionRow } from '../../identity-verification/page-session-store.ts'
import type { SampleName } from '../../identity-verification/pictures/samples.ts'
import type { KnownUser } from '../../identity-verification/subject.ts'
import type { Keeping } from '../kept-rejection.ts'

/** What the person has answered and not yet sent to a check. */
export interface Drafts extends Keeping {
  /** The phone number that a code was sent to, as it was typed. */
  phone?: string
  person?: PersonDraft
  document?: DocumentDraft
}

export interface PersonDraft {
  name?: KnownUser['name']
  date_of_birth?: string
  country?: string
  address?: IdentityVerificationAddress
  /** Null: the person has none. */
  id_number?: KnownUser['id_number']
}

export interface DocumentDraft {
  category: DocumentKind
  country: string
  /** Whether the picture of its front was sent. */
  hasFront?: boolean
  /** The sample of the sandbox that was its front. */
  sample?: SampleName | undefined
}

export const readDrafts = ({ drafts }: Pick<VerificationSessionRow, 'drafts'>): Drafts =>
  JSON.parse(drafts) as Drafts
