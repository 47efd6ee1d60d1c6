import { headerNames } from '#contract/operations.ts'
import { resultsOf } from '../../identity-verification/provider-results.ts'
import { AttemptChanged, settleCheck } from '../../identity-verification/settle-check.ts'
import type { StepName } from '../../identity-verification/step.ts'
import { requireAttempt } from '../../identity-verification/store.ts'
import type { Context, IdentityGateway } from '../../kernel/context.ts'
import type { Service } from '../../kernel/service.ts'
import { type Call, createCallOut } from '../../protocols/call-out.ts'
import { createIdentityGateway } from '../../protocols/identity-gateway.ts'
import type {
  CheckAnswer,
  IdentityProvider,
  ProviderContext,
} from '../../protocols/identity-provider.ts'
import { SourceFailed } from '../../protocols/source-failed.ts'
import {
  type CheckKey,
  type CheckRow,
  continueCheck,
  deleteCheck,
} from '../../queue/identity-check-store.ts'
import { type SigningKey, signBody } from '../../webhooks/sign.ts'
import { type ClaimedCheck, claim } from './claim-check.ts'
import { inClaim, LostCheck } from './in-check.ts'
import { endOf, pollDelay, retryDelay } from './plan.ts'

/** When each client was last told that its steps are served, in real ms. */
export type Authorized = Map<string, number>

const authorizedMs = 3_600_000
const longestMs = 20_000

/** What a call needs beside the check. */
interface Calling {
  service: Service
  gateway: IdentityGateway
  authorized: Authorized
  signal: AbortSignal
}

/** Submits a check or asks for its result, and writes what comes of it. No call is in a transaction. */
export async function runCheck(calling: Calling, key: CheckKey): Promise<void> {
  const { service } = calling
  const claimed = await claim(service, key)
  if (!claimed) return
  try {
    const answer = await ask(calling, claimed)
    await inClaim(service, claimed.row, (ctx) => apply(ctx, claimed.row, answer))
  } catch (error) {
    if (error instanceof LostCheck) return
    await postpone(calling, claimed.row, error)
  }
}

async function ask(
  { service, gateway, authorized, signal }: Calling,
  { row, submission, key }: ClaimedCheck,
): Promise<CheckAnswer> {
  const targets = gateway.isPrivate ? 'private' : (service.settings.callTargets ?? 'public')
  const { timeoutMs = longestMs } = gateway
  const call = createCallOut({ targets, signal, timeoutMs })
  const ctx = { call: (request: Call) => call(signed(service, request, key)) }
  const provider = createIdentityGateway(gateway.url)
  const { check_id, client_id, identity_verification_id, step } = submission
  if (row.submitted_at !== null) {
    return provider.result(ctx, { check_id, client_id, identity_verification_id, step })
  }
  await authorize(provider, ctx, { service, gateway, authorized, signal }, row)
  return provider.submit(ctx, submission)
}

/** Asks whether the steps are served, once an hour for each client. */
async function authorize(
  provider: IdentityProvider,
  ctx: ProviderContext,
  { service, gateway, authorized }: Calling,
  { client_id, step }: CheckRow,
): Promise<void> {
  const now = service.clock()
  if (now - (authorized.get(client_id) ?? 0) < authorizedMs) return
  const steps = gateway.steps as Parameters<IdentityProvider['authorize']>[1]['steps']
  const served = await provider.authorize(ctx, { client_id, steps })
  if (!served.some((one) => one === step)) {
    throw new SourceFailed('setup', `the gateway does not serve the step ${step}`)
  }
  if (steps.every((one) => served.includes(one))) authorized.set(client_id, now)
}

/** The request with a JWT that vouches for its body, as webhooks have it. */
function signed({ clock }: Service, call: Call, key: SigningKey): Call {
  const jwt = signBody(call.body ?? '', key, Math.floor(clock() / 1000))
  return { ...call, headers: { ...call.headers, [headerNames.signature]: jwt } }
}

/** Writes what a provider said, in the transaction of the claim. */
async function apply(ctx: Context, row: CheckRow, answer: CheckAnswer): Promise<void> {
  const now = ctx.realMs()
  const { status, flaw } = answer
  const isCode = row.step === 'verify_sms'
  if (status === 'pending') {
    const submitted_at = row.submitted_at ?? now
    const calls = row.submitted_at === null ? 0 : row.calls + 1
    const due_at = Math.min(now + pollDelay({ ...row, calls }, answer), endOf(row))
    await continueCheck(ctx, row, { submitted_at, due_at, calls, failure: null })
    return
  }
  if (isCode !== (status === 'sent') && !(isCode && status === 'failed')) {
    throw new SourceFailed('outage', `the gateway answered ${status} for the step ${row.step}`)
  }
  await deleteCheck(ctx, row)
  if (isCode || status === 'sent') return
  const step = { identity_verification_id: row.attempt_id, step: row.step as StepName }
  if (status === 'again') {
    const hasPictures = row.step === 'documentary_verification' || row.step === 'selfie_check'
    if (!hasPictures || flaw === undefined) {
      throw new SourceFailed('outage', `the gateway wants no pictures again for ${row.step}`)
    }
    await settleCheck(ctx, step, { again: flaw })
    return
  }
  const attempt = await requireAttempt(ctx, row.attempt_id)
  const found = { ...resultsOf(ctx, attempt), ...partOf(answer, row.step) }
  const results = ctx.keys.encrypt(JSON.stringify(found))
  await settleCheck(ctx, step, { found: status }, { results })
}

/** The results of the check's own step. */
function partOf({ results = {} }: CheckAnswer, step: string): object {
  const found = (results as Readonly<Record<string, unknown>>)[step]
  return found === undefined ? {} : { [step]: found }
}

/** Gives a check back whose call failed, for later. */
async function postpone(
  { service, signal }: Calling,
  row: CheckRow,
  error: unknown,
): Promise<void> {
  const isKnown = error instanceof SourceFailed || error instanceof AttemptChanged
  if (!isKnown && !signal.aborted) service.log.error(error, 'an identity check failed')
  const failure = error instanceof SourceFailed ? error.message : 'the answer could not be stored'
  const { client_id, check_id, step, submitted_at } = row
  if (!signal.aborted)
    service.log.info({ client_id, check_id, step, failure }, 'an identity check waits')
  const delay = signal.aborted || error instanceof AttemptChanged ? 0 : retryDelay(row)
  const calls = signal.aborted ? row.calls : row.calls + 1
  const due_at = Math.min(service.clock() + delay, endOf(row))
  await inClaim(service, row, (ctx) =>
    continueCheck(ctx, row, { submitted_at, due_at, calls, failure }),
  ).catch((lost: unknown) => {
    if (!(lost instanceof LostCheck)) throw lost
  })
}
