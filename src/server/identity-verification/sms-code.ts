import type { Context } from '../kernel/context.ts'
import { userOf, withUser } from './attempt.ts'
import { checksOf } from './checks-of.ts'
import { evidenceOf, type SmsEvidence, withEvidence } from './evidence.ts'
import { endAndGoOn } from './settle-check.ts'
import { admitMessage } from './sms-limits.ts'
import type { AttemptRow } from './store.ts'

const lifetimeMs = 10 * 60_000
const mostTries = 3
/** How many messages a person gets, and how many codes they can fail. */
export const mostMessages = 5
const mostCodes = 3

const none: SmsEvidence = { verifications: [], deliveries: 0 }
type Verification = SmsEvidence['verifications'][number]

/** Whom a code is for. */
interface Addressee {
  phone_number: string
  /** The IP address of the person. */
  peer: string | undefined
}

/**
 * Sends a code, in place of the one before. A person who asks for more messages than there are fails
 * the step: somebody may be guessing.
 */
export async function sendCode(
  ctx: Context,
  attempt: AttemptRow,
  { phone_number, peer }: Addressee,
): Promise<{ attempt: AttemptRow } | { problem: 'unreachable' | 'later' }> {
  const sms = evidenceOf(ctx, attempt).sms ?? none
  if (sms.deliveries >= mostMessages) return { attempt: await fail(ctx, attempt, sms) }
  if (!(await admitMessage(ctx, { phone_number, peer }))) return { problem: 'later' }
  const checks = checksOf(ctx)
  const code = checks.newCode(ctx)
  const delivery = sms.deliveries + 1
  if (!(await checks.sendCode(ctx, attempt, { phone_number, code, delivery }))) {
    return { problem: 'unreachable' }
  }
  const open = { hash: ctx.keys.hash(hashed(attempt, code)), expires_at: ctx.nowMs + lifetimeMs }
  const verifications = withMessage(sms.verifications, phone_number, ctx.now)
  return { attempt: withSms(ctx, attempt, { verifications, deliveries: delivery, code: open }) }
}

/** The entries with one more message: to the number of the open one, or to another number. */
function withMessage(
  verifications: readonly Verification[],
  phone_number: string,
  now: string,
): readonly Verification[] {
  const last = verifications.at(-1)
  const isSame = last?.status === 'pending' && last.phone_number === phone_number
  if (isSame) {
    const delivery_attempt_count = last.delivery_attempt_count + 1
    return [...verifications.slice(0, -1), { ...last, delivery_attempt_count, last_sent_at: now }]
  }
  const before = verifications.map(
    (one): Verification => (one.status === 'pending' ? { ...one, status: 'canceled' } : one),
  )
  const next: Verification = {
    status: 'pending',
    attempt: verifications.length + 1,
    phone_number,
    delivery_attempt_count: 1,
    solve_attempt_count: 0,
    initially_sent_at: now,
    last_sent_at: now,
  }
  return [...before, next]
}

/** What came of a code that a person entered. */
export type Tried =
  | { found: 'right'; attempt: AttemptRow }
  | { found: 'wrong'; left: number; attempt: AttemptRow }
  | { found: 'expired' }

/** Compares what a person entered with the code that is open, and counts the try. */
export async function tryCode(ctx: Context, attempt: AttemptRow, given: string): Promise<Tried> {
  const sms = evidenceOf(ctx, attempt).sms ?? none
  if (!sms.code || ctx.nowMs >= sms.code.expires_at) return { found: 'expired' }
  const last = sms.verifications.at(-1) as Verification
  const solve_attempt_count = last.solve_attempt_count + 1
  const close = (status: Verification['status']): SmsEvidence => ({
    deliveries: sms.deliveries,
    verifications: [...sms.verifications.slice(0, -1), { ...last, solve_attempt_count, status }],
  })
  if (ctx.keys.hash(hashed(attempt, given)) === sms.code.hash) {
    const noted = withSms(ctx, attempt, close('success'))
    const known = withUser(ctx, noted, { ...userOf(ctx, noted), phone_number: last.phone_number })
    return { found: 'right', attempt: await endAndGoOn(ctx, known, 'verify_sms', 'success') }
  }
  const left = mostTries - solve_attempt_count
  if (left > 0) {
    const noted = { ...close('pending'), code: sms.code }
    return { found: 'wrong', left, attempt: withSms(ctx, attempt, noted) }
  }
  const failed = close('failed')
  const isLast =
    failed.verifications.filter(({ status }) => status === 'failed').length >= mostCodes
  const after = isLast ? await fail(ctx, attempt, failed) : withSms(ctx, attempt, failed)
  return { found: 'wrong', left, attempt: after }
}

const fail = (ctx: Context, attempt: AttemptRow, { verifications, deliveries }: SmsEvidence) =>
  endAndGoOn(
    ctx,
    withSms(ctx, attempt, {
      deliveries,
      verifications: verifications.map(
        (one): Verification => (one.status === 'pending' ? { ...one, status: 'failed' } : one),
      ),
    }),
    'verify_sms',
    'failed',
  )

const withSms = (ctx: Context, attempt: AttemptRow, sms: SmsEvidence): AttemptRow =>
  withEvidence(ctx, attempt, { sms })

// The attempt is hashed too: equal codes of two people have different hashes.
const hashed = ({ id }: AttemptRow, code: string): string => `one-time code\n${id}\n${code}`
