import { toInstitutionRow } from '../../institutions/institution.ts'
import { noteInstitutionChange } from '../../institutions/search-store.ts'
import { findInstitution, insertInstitution } from '../../institutions/store.ts'
import { invalidField } from '../../kernel/errors.ts'
import type { HandlerOf } from '../../kernel/operation.ts'

export const sandboxInstitutionCreate: HandlerOf<'sandboxInstitutionCreate'> = async (
  ctx,
  { body },
) => {
  const institution_id = body.institution_id ?? ctx.newId('institution')
  const taken = await findInstitution(ctx, institution_id)
  const row = toInstitutionRow({ ...body, institution_id }, ctx.now)
  if (taken || !(await insertInstitution(ctx.db, ctx.client.client_id, row))) {
    throw invalidField('`institution_id` must be one that no institution has yet')
  }
  await noteInstitutionChange(ctx.db, ctx.client.client_id, ctx.newId('opaque'))
  return { institution_id }
}
