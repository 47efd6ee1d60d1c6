import type { SandboxTamper } from '../../../generated/sandbox/closed.ts'
import type { Context } from '../kernel/context.ts'
import { invalidField } from '../kernel/errors.ts'
import { foreignCursor, readListPlace, toListCursor } from '../kernel/list-cursor.ts'
import type { HandlerOf } from '../kernel/operation.ts'
import {
  extendListening,
  findListening,
  type Listening,
  listenedMs,
  listListened,
} from '../queue/listened-store.ts'
import { currentKey } from './key.ts'
import { signBody } from './sign.ts'
import { forgeSignature } from './tamper.ts'

const defaultCount = 25
const list = 'listen'

export const webhookListen: HandlerOf<'webhookListen'> = async (ctx, { body }) => {
  const { cursor = null } = body
  const count = body.count ?? defaultCount
  const listening = await keepListening(ctx)
  if (cursor === null) return { webhooks: [], next_cursor: toCursor(listening, listening.newest) }
  const after = placeOf(cursor, listening)
  const rows = await listListened(ctx, after, count)
  // Numbers have no gaps, but for webhooks that were deleted after an hour.
  if (rows[0] && rows[0].sequence !== after + 1) throw expired()
  const last = rows.at(-1)
  if (!last) return { webhooks: [], next_cursor: toCursor(listening, after) }
  const key = await currentKey(ctx)
  const iat = Math.floor(ctx.realMs() / 1000)
  const webhooks = rows.map(({ webhook_id, webhook_type, webhook_code, body, tamper }) => ({
    ...{ webhook_id, webhook_type, webhook_code, body },
    // Only the sandbox API writes this column, from its checked enum.
    signature:
      tamper === null
        ? signBody(body, key, iat)
        : forgeSignature(tamper as SandboxTamper, body, key, iat),
  }))
  return { webhooks, next_cursor: toCursor(listening, last.sequence) }
}
webhookListen.reads = true
webhookListen.waits = ({ cursor }, { webhooks }) => cursor != null && webhooks.length === 0

/** Listening goes on for an hour. It is written only once in half an hour, so that waiting writes nothing. */
async function keepListening(ctx: Context): Promise<Listening> {
  const now = ctx.realMs()
  const isLong = Number(ctx.client.listens_until ?? 0) > now + listenedMs / 2
  if (!isLong) await extendListening(ctx, now, now + listenedMs)
  const listening = await findListening(ctx)
  if (!listening) throw new Error('the client is gone')
  return listening
}

/** After a reset the numbers begin again, with nothing in between. */
function placeOf(cursor: string, { resets, listens, newest }: Listening): number {
  const { sequence, name } = readListPlace(list, cursor)
  const [, ownResets, ownListens] = /^(\d{1,10})\.(\d{1,10})$/.exec(name) ?? []
  if (ownResets === undefined) throw foreignCursor()
  if (Number(ownListens) !== listens) throw expired()
  if (Number(ownResets) !== resets) return 0
  if (sequence > newest) throw foreignCursor()
  return sequence
}

const toCursor = ({ resets, listens }: Listening, sequence: number): string =>
  toListCursor(list, sequence, `${resets}.${listens}`)

const expired = () =>
  invalidField(
    '`cursor` is too old, so webhooks are missing: leave it out to listen from this moment on',
  )
