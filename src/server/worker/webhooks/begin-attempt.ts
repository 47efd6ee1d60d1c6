import type { SandboxTamper } from '../../../../generated/sandbox/closed.ts'
import type { Context } from '../../kernel/context.ts'
import type { Service } from '../../kernel/service.ts'
import { countAttempts } from '../../queue/webhook-attempt-store.ts'
import {
  claimDelivery,
  type DeliveryKey,
  type DeliveryRow,
  isItemClaimed,
  lockDelivery,
  lockToldItem,
  updateDelivery,
} from '../../queue/webhook-store.ts'
import { currentKey, findSigningKey } from '../../webhooks/key.ts'
import { type SigningKey, signBody } from '../../webhooks/sign.ts'
import { forgeSignature } from '../../webhooks/tamper.ts'
import { inClient, inContext } from './in-client.ts'
import { isEndpointGivenUp } from './is-endpoint-given-up.ts'
import { attemptTimeoutMs } from './retry.ts'

/** Longer than an attempt takes, so an older claim belongs to a process that has died. */
const claimMs = 3 * attemptTimeoutMs

/** A delivery that is due. */
interface Found {
  row: DeliveryRow
  /** The number of earlier attempts. */
  made: number
  /** The client's time in ms. */
  at: number
  /** The service's time in ms. */
  now: number
  /** Undefined before the client's first webhook. */
  key: SigningKey | undefined
  /** Whether its endpoint gets first attempts only, and this would be a later one. */
  isGivenUp: boolean
}

/** A signed delivery, ready to be sent. */
export interface Prepared extends Pick<Found, 'row' | 'made' | 'at'> {
  jwt: string
}

/** `elsewhere`: another process is attempting it, or another webhook of its Item. Undefined: it is not due. */
type Begun = Prepared | 'elsewhere' | undefined

/**
 * Prepares an attempt, if it is still due. A database that is not shared needs no claims, so there
 * an attempt usually begins without a write, and does not wait for the commits of requests.
 */
export async function beginAttempt(service: Service, delivery: DeliveryKey): Promise<Begun> {
  const find = (ctx: Context, at: number) => findDue(service, ctx, delivery, at)
  if (!service.database.shared) {
    const found = await service.database.read(inClient(service, delivery, find))
    if (found === undefined || found === 'elsewhere') return found
    if (found.key && !found.isGivenUp) return sign(found, found.key)
  }
  return inContext(service, delivery, async (ctx, at) => {
    const found = await find(ctx, at)
    return found === undefined || found === 'elsewhere' ? found : claim(service, ctx, found)
  })
}

async function findDue(
  service: Service,
  ctx: Context,
  delivery: DeliveryKey,
  at: number,
): Promise<Found | 'elsewhere' | undefined> {
  const { webhook_id } = delivery
  const { shared } = service.database
  // Of two processes that claim webhooks of an Item, the second must see the claim of the first.
  if (shared && delivery.item_id !== null) await lockToldItem(ctx, delivery.item_id)
  const row = await lockDelivery(ctx, webhook_id)
  const now = service.clock()
  if (!row || row.due_at === null || row.due_at > now) return undefined
  if (row.claimed_until !== null && row.claimed_until > now) return 'elsewhere'
  if (shared && (await isItemClaimed(ctx, delivery, now))) return 'elsewhere'
  const { made } = await countAttempts(ctx, webhook_id)
  const isGivenUp = made > 0 && row.asked === 0 && (await isEndpointGivenUp(ctx, row.url, at))
  return { row, made, at, now, key: await findSigningKey(ctx), isGivenUp }
}

/** Writes what an attempt needs before it: a signing key, and a claim in a shared database. */
async function claim(service: Service, ctx: Context, found: Found): Promise<Prepared | undefined> {
  const { row, now, isGivenUp } = found
  if (isGivenUp) {
    await updateDelivery(ctx, { ...row, status: 'failed', due_at: null, ended_at: now })
    return undefined
  }
  const key = found.key ?? (await currentKey(ctx))
  if (service.database.shared) await claimDelivery(ctx, row.webhook_id, now + claimMs)
  return sign(found, key)
}

function sign({ row, made, at, now }: Found, key: SigningKey): Prepared {
  const iat = Math.floor(now / 1000)
  // Only the sandbox API writes this column, from its checked enum.
  const tamper = row.tamper as SandboxTamper | null
  const jwt =
    tamper === null ? signBody(row.body, key, iat) : forgeSignature(tamper, row.body, key, iat)
  return { row, made, at, jwt }
}
