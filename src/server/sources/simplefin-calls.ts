import type { Context } from '../kernel/context.ts'
import { simplefin as protocol } from '../protocols/simplefin/simplefin.ts'
import { countCalls, waitForCall, withCall } from '../queue/pull-quota.ts'
import { findPull, noteCalls, type PullRow } from '../queue/pull-store.ts'
import { type Ask, RejectedAnswer, type Resume } from './connector.ts'
import { readHidden } from './hidden-accounts.ts'

/** What a session stores, encrypted, once the service is let in. */
export interface Claimed {
  access: string
  /** The times of the calls since, in real ms. */
  calls: number[]
  /** Whether it is the access address that the Item has. Its calls are counted there. */
  isOfItem?: boolean
}

const { callsPerDay } = protocol.limits
/** A new access address leaves the other half of the quota to the first reads. */
const mostCalls = { ofItem: callsPerDay - 1, ofNew: callsPerDay / 2 }

/** Counts a call before it is made. Undefined where it is too soon for one. */
export async function takeCall(
  { write, itemId }: Ask,
  claimed: Claimed,
  now: number,
): Promise<Claimed | undefined> {
  if (!claimed.isOfItem) {
    const calls = withOneMore(JSON.stringify(claimed.calls), mostCalls.ofNew, now)
    return calls === undefined ? undefined : { ...claimed, calls: JSON.parse(calls) as number[] }
  }
  return write(async (ctx) => {
    const pull = await requirePull(ctx, itemId)
    const calls = withOneMore(pull.calls, mostCalls.ofItem, now)
    if (calls === undefined) return undefined
    await noteCalls(ctx, pull.item_id, calls)
    return claimed
  })
}

function withOneMore(calls: string, most: number, now: number): string | undefined {
  if (countCalls(calls, now) >= most) throw new RejectedAnswer('quotaReached')
  // Asked again too soon: nothing can have changed.
  return waitForCall(calls, protocol.limits, now) > 0 ? undefined : withCall(calls, now)
}

/** The access address that an Item has. */
export async function accessOf(ctx: Context, itemId: string | null): Promise<Claimed> {
  const pull = await requirePull(ctx, itemId)
  return { access: ctx.keys.decrypt(pull.secret), calls: [], isOfItem: true }
}

async function requirePull(ctx: Context, itemId: string | null): Promise<PullRow> {
  const pull = itemId === null ? undefined : await findPull(ctx, itemId)
  // The Item was removed while its page was open.
  if (!pull) throw new RejectedAnswer('institutionRejects', { field: 'setup_token' })
  return pull
}

/**
 * The first question of update mode. A source that has rejected the credentials needs others. Where
 * a bank behind it asks for a new login, the access address stays the same.
 */
export async function resumeAt(ctx: Context, itemId: string): Promise<Resume | undefined> {
  const pull = await findPull(ctx, itemId)
  if (!pull || (pull.failure === 'ITEM_LOGIN_REQUIRED' && pull.failures > 0)) return undefined
  return {
    kind: 'resume',
    appeared: readHidden(pull.hidden).flatMap(({ account, isLeftOut }) => {
      const { organization, name, mask = null } = account
      return isLeftOut
        ? []
        : [{ name: [organization, name].filter(Boolean).join(': ') || null, mask }]
    }),
    needs: needs[pull.failure ?? ''] ?? null,
    said: pull.said?.split('\n') ?? [],
  }
}

const needs: Readonly<Record<string, Resume['needs']>> = {
  ITEM_LOGIN_REQUIRED: 'login',
  USER_SETUP_REQUIRED: 'setup',
}
