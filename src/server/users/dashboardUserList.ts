import type { Context } from '../context.ts'
import type { RequestOf, ResponseOf } from '../operation.ts'

export async function dashboardUserList(
  _ctx: Context,
  _request: RequestOf<'dashboardUserList'>,
): Promise<ResponseOf<'dashboardUserList'>> {
  throw new Error('dashboardUserList is not built yet')
}
