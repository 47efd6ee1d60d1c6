import { CountryCode } from '#contract/enums.ts'
import { toInstitutionRow } from '../institutions/institution.ts'
import { noteInstitutionChange } from '../institutions/search-store.ts'
import { findInstitution, insertInstitution } from '../institutions/store.ts'
import type { Context } from '../kernel/context.ts'
import { ApiError } from '../kernel/errors.ts'
import { fileInstitutionId } from './file-institution-id.ts'

/** What a file can tell, and what can be made from that. */
export const fileProducts = ['assets', 'transactions'] as const

/** The institution of an import; the one for files is there without a list. */
export async function findOrMakeInstitution(
  ctx: Context,
  institutionId: string,
): Promise<{ institution_id: string; name: string }> {
  const found = await findInstitution(ctx, institutionId)
  if (found) return found
  if (institutionId !== fileInstitutionId) throw new ApiError('INVALID_INSTITUTION')
  const row = toInstitutionRow(
    {
      institution_id: fileInstitutionId,
      name: 'A file from my bank',
      products: [...fileProducts],
      country_codes: [...CountryCode],
    },
    ctx.now,
  )
  if (await insertInstitution(ctx.db, '', row)) {
    await noteInstitutionChange(ctx.db, '', ctx.newId('opaque'))
  }
  return row
}
