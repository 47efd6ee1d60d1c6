import { headerNames, idempotencyKeyPattern } from '#contract/operations.ts'
import type { Context } from '../kernel/context.ts'
import { ApiError } from '../kernel/errors.ts'
import { withLists } from '../kernel/list-text.ts'
import type { AnyOperationId } from '../kernel/operation.ts'
import { dayMs } from '../kernel/time.ts'
import { credentialFields, type Headers } from './credentials.ts'
import { findStoredAnswer, putStoredAnswer } from './idempotency-store.ts'

/** How long the answer of a request can be repeated, in real time. */
export const idempotencyMs = dayMs

const name = headerNames.idempotencyKey
const form = new RegExp(idempotencyKeyPattern)
const credentials: readonly string[] = credentialFields

/** The `Idempotency-Key` of a request, if its operation takes one. */
export function readIdempotencyKey(
  headers: Headers,
  operation: { idempotencyKey?: boolean },
): string | undefined {
  const key = operation.idempotencyKey ? headers[name.toLowerCase()] : undefined
  if (key === undefined || form.test(key)) return key
  throw new ApiError('INVALID_HEADERS', {
    message: `the header \`${name}\` must have 1 to 255 visible ASCII characters without spaces`,
  })
}

/** A request with a key, as its answer is stored. */
interface KeyedRequest {
  key: string
  operationId: AnyOperationId
  body: object
}

/** An answer, and whether it is that of an earlier request. */
interface KeyedAnswer {
  answer: object
  replayed: boolean
}

/**
 * Returns the stored answer of the key. Without one, runs the handler and stores its answer in the
 * same transaction: so the answer is stored exactly if the change is. The transactions of a client
 * run one after the other, so a second request with the key finds the answer of the first.
 */
export async function answerOnce(
  ctx: Context,
  request: KeyedRequest,
  run: () => Promise<object>,
): Promise<KeyedAnswer> {
  const keyHash = ctx.keys.hash(`idempotency key ${request.key}`)
  const fingerprint = ctx.keys.hash(describe(ctx, request))
  const stored = await findStoredAnswer(ctx, keyHash, ctx.realMs() - idempotencyMs)
  if (!stored) {
    const answer = await run()
    const text = JSON.stringify(withLists(answer))
    await putStoredAnswer(ctx, keyHash, { fingerprint, answer: ctx.keys.encrypt(text) })
    return { answer, replayed: false }
  }
  if (stored.fingerprint === fingerprint) {
    return { answer: JSON.parse(ctx.keys.decrypt(stored.answer)), replayed: true }
  }
  throw new ApiError('INVALID_HEADERS', {
    message: `the header \`${name}\` must be new for another operation or body; this one was sent with a different request in the last 24 hours`,
  })
}

/**
 * Equal for requests that ask for the same: some programs do not keep the order of fields, and
 * credentials may be in the body or in headers.
 */
function describe({ bearer }: Context, { operationId, body }: KeyedRequest): string {
  const fields = Object.entries(body).filter(([field]) => !credentials.includes(field))
  const user = bearer?.user?.user_id ?? null
  return JSON.stringify([operationId, user, inOrder(Object.fromEntries(fields))])
}

const inOrder = (value: unknown): unknown => {
  if (Array.isArray(value)) return value.map(inOrder)
  if (typeof value !== 'object' || value === null) return value
  // Pairs, since names that are numbers would not stay in the order of an object.
  return Object.entries(value)
    .sort(([one], [other]) => (one < other ? -1 : 1))
    .map(([field, its]) => [field, inOrder(its)])
}
