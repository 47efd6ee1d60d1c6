import { toInstitutionRow } from '../../institutions/institution.ts'
import { noteInstitutionChange } from '../../institutions/search-store.ts'
import { findInstitution, insertInstitution } from '../../institutions/store.ts'
import type { Context } from '../../kernel/context.ts'
import { ApiError } from '../../kernel/errors.ts'
import type { SandboxRequestOf, SandboxResponseOf } from '../../kernel/operation.ts'

export async function sandboxInstitutionCreate(
  ctx: Context,
  { body }: SandboxRequestOf<'sandboxInstitutionCreate'>,
): Promise<SandboxResponseOf<'sandboxInstitutionCreate'>> {
  const institution_id = body.institution_id ?? ctx.newId('institution')
  const taken = await findInstitution(ctx, institution_id)
  const row = toInstitutionRow({ ...body, institution_id }, ctx.now)
  if (taken || !(await insertInstitution(ctx.db, ctx.client.client_id, row))) {
    const message = '`institution_id` must be one that no institution has yet'
    throw new ApiError('INVALID_FIELD', { message })
  }
  await noteInstitutionChange(ctx.db, ctx.client.client_id, ctx.newId('opaque'))
  return { institution_id }
}
