import type { FileSettings, ListedProduct } from '../../../generated/institution-list/types.ts'
import { fileInstitutionId } from '../../institution-list/built-in.ts'
import { putListed } from '../institutions/list-store.ts'
import { findBuiltIn, toListedRow } from '../institutions/listed-row.ts'
import { noteInstitutionChange } from '../institutions/search-store.ts'
import { findInstitution, type InstitutionRow } from '../institutions/store.ts'
import type { Context } from '../kernel/context.ts'
import { ApiError } from '../kernel/errors.ts'
import { resolveSettings } from './resolve-settings.ts'

/** What a file can tell, and what can be made from that. */
const fileProducts = ['assets', 'transactions'] as const satisfies readonly ListedProduct[]

/** What a new Item gets whose data comes from files. */
export const productsOf = ({ connector, products }: InstitutionRow): readonly ListedProduct[] =>
  connector === null ? fileProducts : (JSON.parse(products) as ListedProduct[])

/** Why files cannot become the data of an Item at an institution, in one line. */
export class RejectedInstitution extends Error {}

/** Throws where an institution takes no new Items whose data comes from files. */
export function rejectNewItems(institution: InstitutionRow): void {
  const { institution_id, name, connector, delisted_at } = institution
  if (delisted_at !== null) {
    throw new RejectedInstitution(
      `the institution ${institution_id} (${name}) is no longer on the list: its existing Items take files, and new ones cannot be made`,
    )
  }
  if (connector === null || connector === 'file') return
  throw new RejectedInstitution(
    `the institution ${institution_id} (${name}) is served by the connector ${connector} and takes no files: its users connect on the link page`,
  )
}

/**
 * The settings of an institution for its files. Throws where the list says that it does not accept a
 * format.
 */
export async function acceptFormat(
  institution: InstitutionRow | undefined,
  format: string,
): Promise<FileSettings> {
  const { connector, connector_settings } = institution ?? {}
  if (connector !== 'file' || !institution) return {}
  const settings = await resolveSettings(JSON.parse(connector_settings ?? '{}'))
  const { FileSettings } = await import(
    '../../../generated/institution-list/validators/institutions.js'
  )
  if (!FileSettings.is(settings)) {
    throw new RejectedInstitution(
      `the settings of the institution ${institution.institution_id} (${institution.name}) cannot be used: \`institutions check\` says why`,
    )
  }
  const { formats } = settings
  if (formats === undefined || formats.some((one) => one === format)) return settings
  throw new RejectedInstitution(
    `the institution ${institution.institution_id} (${institution.name}) accepts ${formats.join(', ')}, and the file is ${format}`,
  )
}

/**
 * The institution of a new Item whose data comes from files. The one for any bank is made where no
 * list has been stored, as in a sandbox.
 */
export async function findOrMakeInstitution(
  ctx: Context,
  institutionId: string,
): Promise<InstitutionRow> {
  const found = await findInstitution(ctx, institutionId)
  if (found) return found
  const builtIn = institutionId === fileInstitutionId ? findBuiltIn(institutionId) : undefined
  if (!builtIn) throw new ApiError('INVALID_INSTITUTION')
  const row = toListedRow(builtIn, ctx.now)
  await putListed(ctx.db, [row])
  await noteInstitutionChange(ctx.db, '', ctx.newId('opaque'))
  return row
}
