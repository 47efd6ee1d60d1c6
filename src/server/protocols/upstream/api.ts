import type { UpstreamSettings } from '../../../../generated/institution-list/types.ts'
import type { ResponseBody } from '../../../client/call.ts'
import { contractChecks } from '../../../client/checks.ts'
import { type Client, createClient } from '../../../client/client.ts'
import { AnswerError } from '../../../client/failures.ts'
import { ServiceError } from '../../../client/service-error.ts'
import type { ProtocolContext } from '../protocol.ts'
import { SourceFailed } from '../source-failed.ts'

/** What the other service answers; it may be newer, and have values that are not known here. */
export type Account = ResponseBody<'accountsGet'>['accounts'][number]
export type Transaction = ResponseBody<'transactionsGet'>['transactions'][number]

/** What lets the service in at the other service. */
export interface Secret {
  access_token: string
  item_id: string
  /** When the user authorized last, in real ms: a cursor from before is of no more use. */
  since: number
  /**
   * Where that service is to send its webhooks. The first read puts it there, since update mode of a link
   * leaves the address of an Item as it is, and a user may leave before the Item here has the new one.
   */
  notify?: string
}

/** Our own client of the other service, by the calls that connectors may make. */
export function createApi(ctx: Pick<ProtocolContext, 'settings' | 'call'>): Client {
  const { url, client_id: clientId, secret } = ctx.settings as UpstreamSettings
  return createClient({
    baseUrl: url,
    clientId,
    secret,
    // The service itself tries again later, and each call has a time limit.
    retries: 0,
    timeout: 0,
    validate: contractChecks({ answers: true }),
    fetch: (request) => send(ctx, request),
  })
}

const longestAnswer = 32 * 1024 * 1024

async function send({ call }: Pick<ProtocolContext, 'call'>, request: Request): Promise<Response> {
  const answer = await call({
    method: 'POST',
    url: new URL(request.url),
    headers: Object.fromEntries(request.headers),
    body: await request.text(),
    mostBytes: longestAnswer,
  })
  const { status } = answer
  const wait = answer.headers['retry-after']
  const headers = typeof wait === 'string' ? { 'Retry-After': wait } : {}
  const isUsual = status >= 200 && status < 600 && ![204, 205, 304].includes(status)
  return isUsual
    ? new Response(new Uint8Array(answer.body), {
        status,
        headers: { ...headers, ...keyIdOf(answer) },
      })
    : new Response('', { status: 502 })
}

/** The header by which webhooks with forged key ids keep nobody out. */
function keyIdOf({ headers }: Pick<Awaited<ReturnType<ProtocolContext['call']>>, 'headers'>) {
  const id = headers['current-key-id']
  return typeof id === 'string' ? { 'Current-Key-Id': id } : {}
}

/** Codes after which only the user can help. */
const loginCodes: readonly string[] = [
  'ITEM_LOGIN_REQUIRED',
  'ITEM_NOT_FOUND',
  'INVALID_ACCESS_TOKEN',
  'INVALID_CURSOR',
  'USER_PERMISSION_REVOKED',
  'ACCESS_NOT_GRANTED',
  'ADDITIONAL_CONSENT_REQUIRED',
  'PASSWORD_RESET_REQUIRED',
  'NO_ACCOUNTS',
]
const setupCodes: readonly string[] = ['USER_SETUP_REQUIRED', 'ITEM_LOCKED']

/** Runs calls, and throws what the service understands. */
export async function asSource<Result>(work: () => Promise<Result>): Promise<Result> {
  try {
    return await work()
  } catch (error) {
    throw toSourceFailed(error)
  }
}

function toSourceFailed(error: unknown): unknown {
  if (error instanceof SourceFailed) return error
  if (error instanceof ServiceError) return ofAnswer(error, error.error_code)
  if (error instanceof AnswerError) return ofAnswer(error)
  const { cause, code, name } = error as Error & { code?: unknown }
  if (cause instanceof SourceFailed) return cause
  if (code === 'CONTRACT_VIOLATION')
    return new SourceFailed('outage', 'the source answered in another form')
  return code === 'CONNECTION_FAILED' ? new SourceFailed('outage', `no answer (${name})`) : error
}

function ofAnswer(
  { status, retry_after = 0 }: { status: number; retry_after?: number | undefined },
  code?: string,
): SourceFailed {
  const told = code === undefined ? `HTTP ${status}` : code.slice(0, 64)
  const waitMs = retry_after * 1000
  if (status === 429) return new SourceFailed('limit', `the source asks to wait (${told})`, waitMs)
  // The service itself always says a code: without one, something in front of it has answered.
  if (code === undefined) return new SourceFailed('outage', `the source answered ${told}`, waitMs)
  if (loginCodes.includes(code))
    return new SourceFailed('login', `the source needs the user (${told})`)
  if (setupCodes.includes(code))
    return new SourceFailed('setup', `the source needs the user (${told})`)
  return new SourceFailed('outage', `the source answered ${told}`, waitMs)
}
