import { headerNames } from '#contract/operations.ts'
import type { WebhookTargets } from '../../kernel/allowed-target.ts'
import type { Context, Settings } from '../../kernel/context.ts'
import type { Service } from '../../kernel/service.ts'
import { countAttempts, insertAttempt } from '../../queue/webhook-attempt-store.ts'
import {
  claimDelivery,
  type DeliveryKey,
  type DeliveryRow,
  lockDelivery,
  updateDelivery,
} from '../../queue/webhook-store.ts'
import { beginAttempt, type Prepared } from './begin-attempt.ts'
import { inContext } from './in-client.ts'
import { isEndpointGivenUp } from './is-endpoint-given-up.ts'
import { type Outcome, postWebhook, timeoutError } from './post.ts'
import { attemptTimeoutMs, nextDelay } from './retry.ts'
import { retryAmbiguousCommit } from './retry-ambiguous-commit.ts'
import { sealAnswer } from './seal-answer.ts'

const afterTrouble = 30_000
/** A webhook whose outcome is lost is sent again. */
const mayBeLost = true

/** Called as an attempt proceeds: when the request is sent, and when the receiver has answered. */
export interface Progress {
  sent(): void
  answered(): void
}

/**
 * The result of an attempt. `elsewhere`: another process is attempting it, or another webhook of
 * its Item. `late`: the receiver did not respond in time. `lost`: no result was stored.
 */
export type Ending = 'ended' | 'late' | 'elsewhere' | 'lost'

/**
 * Makes one attempt, if it is still due, and stores its outcome. The outcome of an attempt that
 * `signal` aborts is not stored, so the attempt is repeated.
 */
export async function attemptDelivery(
  service: Service,
  key: DeliveryKey,
  signal: AbortSignal,
  progress: Progress,
): Promise<Ending> {
  const prepared = await beginAttempt(service, key)
  if (prepared === 'elsewhere') return prepared
  if (!prepared) return 'ended'
  const begun = performance.now()
  progress.sent()
  const outcome = await postWebhook({
    url: prepared.row.url,
    headers: {
      'Content-Type': 'application/json',
      'User-Agent': 'financial-data-service',
      [headerNames.signature]: prepared.jwt,
    },
    body: prepared.row.body,
    timeoutMs: attemptTimeoutMs,
    targets: targetsOf(service.settings),
    signal,
  })
  progress.answered()
  const ms = performance.now() - begun
  const isCut = signal.aborted && outcome.status_code === null
  const store = (isAmbiguous: boolean) =>
    inContext(
      service,
      key,
      async (ctx, now, keepsBodies) => {
        if (!isCut) {
          const sealed = sealAnswer(ctx, outcome.answer, keepsBodies)
          return record(service, ctx, prepared, { ...outcome, ms, sealed }, now, isAmbiguous)
        }
        await claimDelivery(ctx, key.webhook_id, null)
        return undefined
      },
      { mayBeLost },
    )
  const status = await retryAmbiguousCommit(signal, store)
  if (status) tell(service, key, prepared, { ...outcome, ms, status })
  return outcome.error === timeoutError ? 'late' : 'ended'
}

function targetsOf({ environment, privateTargets }: Settings): WebhookTargets {
  if (environment === 'production') return 'public'
  return privateTargets === 'allow' ? 'any' : 'sandbox'
}

/** Reports an attempt to telemetry, once its outcome is stored. */
function tell(
  { telemetry }: Service,
  { client_id, webhook_id, url }: DeliveryKey,
  { row, made }: Prepared,
  { status_code, error, ms, status }: Outcome & { ms: number; status: DeliveryRow['status'] },
): void {
  telemetry.delivery({
    clientId: client_id,
    webhookId: webhook_id,
    webhook: `${row.webhook_type}.${row.webhook_code}`,
    url,
    attempt: made + 1,
    status: status_code,
    error,
    ms,
    outcome: status,
  })
}

/** Postpones a delivery that could not be attempted, so that it is not retried in a loop. */
export async function postponeDelivery(service: Service, key: DeliveryKey): Promise<void> {
  const postpone = async (ctx: Context) => {
    const row = await lockDelivery(ctx, key.webhook_id)
    if (!row || row.due_at === null) return
    await updateDelivery(ctx, { ...row, due_at: service.clock() + afterTrouble })
  }
  await inContext(service, key, postpone, { mayBeLost })
}

async function record(
  service: Service,
  ctx: Context,
  { row: before, jwt, at, made }: Prepared,
  outcome: Outcome & { ms: number; sealed: string | null },
  now: number,
  isAmbiguous: boolean,
): Promise<DeliveryRow['status'] | undefined> {
  const { status_code, error } = outcome
  // The delivery may have been canceled, requested again or removed since.
  const row = await lockDelivery(ctx, before.webhook_id)
  if (!row) return undefined
  if (isAmbiguous && (await countAttempts(ctx, row.webhook_id)).made > made) return row.status
  const succeeded = status_code !== null && status_code >= 200 && status_code < 300
  const { webhook_id, url } = row
  await insertAttempt(ctx, {
    webhook_id,
    url,
    attempted_at: at,
    succeeded,
    // The first attempt is always a planned one, whoever asked for it.
    requested: made > 0 && before.asked > 0,
    status_code,
    error,
    duration_ms: Math.round(outcome.ms),
    answer_bytes: outcome.answer?.bytes ?? null,
    answer: outcome.sealed,
    signature: jwt,
  })
  const asked = Math.max(0, row.asked - Math.min(before.asked, 1))
  const delay =
    row.status === 'pending' && !succeeded && !outcome.forbidden
      ? await findDelay(ctx, row, now)
      : null
  const realNow = service.clock()
  const retry = delay === null ? null : realNow + delay
  const due_at = asked > 0 ? realNow : retry
  const ended_at = due_at === null ? realNow : null
  const status = nextStatus(row.status, succeeded, delay)
  await updateDelivery(ctx, { webhook_id, status, due_at, asked, ended_at })
  return status
}

/** The pause before the retry of a delivery. Null if there is no retry. */
async function findDelay(ctx: Context, row: DeliveryRow, now: number): Promise<number | null> {
  const { planned, first_at } = await countAttempts(ctx, row.webhook_id)
  const delay = nextDelay(planned, now - (first_at ?? now))
  return delay === null || (await isEndpointGivenUp(ctx, row.url, now)) ? null : delay
}

function nextStatus(
  status: DeliveryRow['status'],
  succeeded: boolean,
  delay: number | null,
): DeliveryRow['status'] {
  if (succeeded) return 'delivered'
  // A requested attempt on an ended delivery is not retried if it fails.
  return status === 'pending' && delay === null ? 'failed' : status
}
