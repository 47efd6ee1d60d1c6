import { limitsOf } from '../../connector/connector.ts'
import type { Context } from '../kernel/context.ts'
import type { CallLimits, Protocol } from '../protocols/protocol.ts'
import { countCalls, waitForCall, withCall } from '../queue/pull-quota.ts'
import { findPull, noteCalls, type PullRow } from '../queue/pull-store.ts'
import { type Ask, RejectedAnswer, type Resume } from './connector.ts'
import { readHidden } from './hidden-accounts.ts'
import { openSecret } from './source-secret.ts'

/** What a session stores, encrypted, once the service is let in. */
export interface LetIn {
  secret: unknown
  /** When the authorization ends. */
  expiresAt?: string
  /** The times of the calls since, in real ms. */
  calls: number[]
  /** The token of the address to which the source sends webhooks. */
  notify?: string
  /** The institution of a new authorization, so that it can be ended if it becomes no Item. */
  newAt?: string
  /** Whether the Item has this secret. Its calls are counted there. */
  isOfItem?: boolean
}

/** Counts a call before it is made. Undefined where it is too soon for one. */
export async function takeCall(
  { write, itemId }: Ask,
  protocol: Protocol,
  letIn: LetIn,
  now: number,
): Promise<LetIn | undefined> {
  const limits = limitsOf(protocol)
  if (!letIn.isOfItem) {
    // What is new leaves the other half of the quota to the first reads.
    const most = Math.max(1, Math.floor(limits.callsPerDay / 2))
    const calls = withOneMore(JSON.stringify(letIn.calls), { limits, most, now })
    return calls === undefined ? undefined : { ...letIn, calls: JSON.parse(calls) as number[] }
  }
  return write(async (ctx) => {
    const pull = await requirePull(ctx, itemId)
    const most = Math.max(1, limits.callsPerDay - 1)
    const calls = withOneMore(pull.calls, { limits, most, now })
    if (calls === undefined) return undefined
    await noteCalls(ctx, pull.item_id, calls)
    return letIn
  })
}

function withOneMore(
  calls: string,
  { limits, most, now }: { limits: CallLimits; most: number; now: number },
): string | undefined {
  if (countCalls(calls, now) >= most) throw new RejectedAnswer('quotaReached')
  // Asked again too soon: nothing can have changed.
  return waitForCall(calls, limits, now) > 0 ? undefined : withCall(calls, now)
}

/** What the Item is let in with. */
export async function letInOf(ctx: Context, itemId: string | null): Promise<LetIn> {
  const pull = await requirePull(ctx, itemId)
  return { secret: openSecret(ctx.keys, pull.secret), calls: [], isOfItem: true }
}

async function requirePull(ctx: Context, itemId: string | null): Promise<PullRow> {
  const pull = itemId === null ? undefined : await findPull(ctx, itemId)
  // The Item was removed while its page was open.
  if (!pull) throw new RejectedAnswer('institutionRejects')
  return pull
}

/**
 * The first question of update mode. A source that has rejected the credentials needs others. Where
 * a bank behind it asks for a new login, the secret stays the same.
 */
export async function resumeAt(
  ctx: Context,
  itemId: string,
  hasToken: boolean,
): Promise<Resume | undefined> {
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
    hasToken,
    said: pull.said?.split('\n') ?? [],
  }
}

const needs: Readonly<Record<string, Resume['needs']>> = {
  ITEM_LOGIN_REQUIRED: 'login',
  USER_SETUP_REQUIRED: 'setup',
}
