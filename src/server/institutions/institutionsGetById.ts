import type { HandlerOf } from '../kernel/operation.ts'
import { toInstitution } from './institution.ts'
import { requireInstitutionIn } from './require-institution.ts'

export const institutionsGetById: HandlerOf<'institutionsGetById'> = async (ctx, { body }) => {
  const { institution_id, country_codes, options } = body
  const row = await requireInstitutionIn(ctx, institution_id, country_codes)
  const optional = options?.include_optional_metadata ?? false
  return { institution: toInstitution(row, { optional, auth: false, paymentInitiation: false }) }
}
institutionsGetById.reads = true
institutionsGetById.single = true
