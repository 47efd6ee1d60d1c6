import type { Context } from '../context.ts'
import type { RequestOf, ResponseOf } from '../operation.ts'

export async function transferMigrateAccount(
  _ctx: Context,
  _request: RequestOf<'transferMigrateAccount'>,
): Promise<ResponseOf<'transferMigrateAccount'>> {
  throw new Error('transferMigrateAccount is not built yet')
}
