import type { Context } from '../context.ts'
import type { SandboxRequestOf, SandboxResponseOf } from '../operation.ts'

export async function sandboxInstitutionCreate(
  _ctx: Context,
  _request: SandboxRequestOf<'sandboxInstitutionCreate'>,
): Promise<SandboxResponseOf<'sandboxInstitutionCreate'>> {
  throw new Error('sandboxInstitutionCreate is not built yet')
}
