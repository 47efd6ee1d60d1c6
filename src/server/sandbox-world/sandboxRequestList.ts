import type { Context } from '../context.ts'
import { readListCursor, toListCursor } from '../list-cursor.ts'
import type { SandboxRequestOf, SandboxResponseOf } from '../operation.ts'
import { listRequests } from './store.ts'

const defaultCount = 100

export async function sandboxRequestList(
  ctx: Context,
  { body }: SandboxRequestOf<'sandboxRequestList'>,
): Promise<SandboxResponseOf<'sandboxRequestList'>> {
  const { cursor = null, count = defaultCount } = body
  const before = cursor === null ? Number.MAX_SAFE_INTEGER : readListCursor('requests', cursor)
  const rows = await listRequests(ctx, before, count + 1)
  const page = rows.slice(0, count)
  const last = page.at(-1)
  return {
    requests: page.map(({ entry }) => JSON.parse(entry)),
    next_cursor: last && rows.length > count ? toListCursor('requests', last.sequence) : null,
  }
}
