import type { SimplefinSettings } from '../../../../generated/institution-list/types.ts'
import type { Message, ProtocolContext, Reading } from '../protocol.ts'
import { AuthorizationFailed, SourceFailed } from '../source-failed.ts'
import { parseAccountSet } from './account-set.ts'
import { requireListed } from './claim.ts'
import { startOf } from './days.ts'
import { tellAccounts } from './tell-accounts.ts'

/** Reads the accounts and rows of some days with one request. */
export async function* read(ctx: ProtocolContext, reading: Reading): AsyncGenerator<Message> {
  const { time_zone: zone = 'UTC' } = ctx.settings as SimplefinSettings
  const { url, credentials } = toRequest(ctx, reading, zone)
  const answer = await ctx.call({ method: 'GET', url, headers: { Authorization: credentials } })
  rejectFailure(answer.status, answer.headers['retry-after'], ctx.now)
  const set = parseAccountSet(new TextDecoder().decode(answer.body))
  yield* tellAccounts(set, { ...reading, zone, now: Math.floor(ctx.now / 1000) })
}

function toRequest(ctx: ProtocolContext, { secret, window, balancesOnly }: Reading, zone: string) {
  const access = new URL(secret)
  requireStillListed(ctx, access)
  const { username, password, origin, pathname } = access
  const pair = [username, password].map(decode).join(':')
  const url = new URL(`${origin}${pathname.replace(/\/$/, '')}/accounts`)
  url.searchParams.set('version', '2')
  if (balancesOnly) url.searchParams.set('balances-only', '1')
  else {
    url.searchParams.set('start-date', String(startOf(window.from, zone)))
    // Rows of that second are left out, so it is the first one of the day after.
    url.searchParams.set('end-date', String(startOf(window.to, zone) + daySeconds))
    url.searchParams.set('pending', '1')
  }
  return { url, credentials: `Basic ${Buffer.from(pair).toString('base64')}` }
}

/** A name or password with a percent sign of its own stays as it is. */
function decode(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}

/** A day in which clocks change has an hour more: rows of the next day do no harm. */
const daySeconds = 90_000

/** An operator may have taken the host off the list since the claim. */
function requireStillListed(ctx: ProtocolContext, access: URL): void {
  try {
    requireListed(ctx, access)
  } catch (error) {
    if (!(error instanceof AuthorizationFailed)) throw error
    throw new SourceFailed('outage', 'the institution no longer lists the host')
  }
}

const mostWaitMs = 86_400_000

function rejectFailure(status: number, retryAfter: unknown, now: number): void {
  if (status === 200) return
  if (status === 402) throw new SourceFailed('setup', 'the source asks for a payment')
  if (status === 401 || status === 403) {
    throw new SourceFailed('login', 'the source no longer accepts the credentials')
  }
  const text = typeof retryAfter === 'string' ? retryAfter : ''
  const asked = /^\d+$/.test(text) ? Number(text) * 1000 : Date.parse(text) - now
  const waitMs = asked > 0 ? Math.min(asked, mostWaitMs) : 0
  if (status === 429) throw new SourceFailed('limit', 'the source asks for fewer requests', waitMs)
  throw new SourceFailed('outage', `the source answered with ${status}`, waitMs)
}
