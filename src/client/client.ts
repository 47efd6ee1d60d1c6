import createFetchClient, { type Client as RawClient } from 'openapi-fetch'
import {
  currentVersion,
  formOperations,
  headerNames,
  otherPaths,
  safePaths,
} from '#contract/client-table.ts'
import type { CurrentVersion, Version, VersionTypes } from '../../generated/client.ts'
import type { CallOptions, OperationId } from './call.ts'
import { toHeaders } from './headers.ts'
import type { Hooks } from './hooks.ts'
import { type BodyChecks, type Settings, startCall } from './send.ts'

/** Settings of a client. */
export interface ClientOptions<V extends Version = CurrentVersion> {
  /** Where the service is, such as `http://127.0.0.1:4000`. */
  baseUrl: string
  /**
   * Your client id, sent in a header with every call. It needs `secret`; leave out both where the
   * headers of your calls or your own `fetch` bring the credentials.
   */
  clientId?: string | undefined
  /** Your secret, sent in a header with every call. It needs `clientId`. Keep it on your server. */
  secret?: string | undefined
  /** The dated version to ask for; it gives the types of bodies and answers. The newest by default. */
  version?: V
  /**
   * Milliseconds for a whole call, with every retry and the waiting between; 30,000 by default, 0
   * for no limit.
   */
  timeout?: number | undefined
  /**
   * How often a network failure, a 429 or a 5xx is answered with another attempt; 2 by default. Calls
   * that create or change something are repeated with the same `Idempotency-Key`, so they act once.
   */
  retries?: number | undefined
  /** Functions that are called for each attempt, for logs and traces. */
  hooks?: Hooks | undefined
  /** Takes the place of the global `fetch`. */
  fetch?: ((request: Request) => Promise<Response>) | undefined
  /** Holds bodies against the contract: `contractChecks` of `financial-data-service/checks`. */
  validate?: BodyChecks | undefined
}

/** What every client has beside the methods. */
export interface ClientBase<V extends Version> {
  /** The dated version that it asks for. */
  readonly version: V
  /** The same client for another dated version, with that version's types. */
  at<const Other extends Version>(version: Other): Client<Other>
  /** openapi-fetch's own client, for calls by path: `client.raw.POST('/accounts/get', …)`. */
  readonly raw: RawClient<VersionTypes[V]['paths']>
}

/** Calls the Financial Data Service: a method for each operation, named by its operationId. */
export type Client<V extends Version = CurrentVersion> = VersionTypes[V]['methods'] & ClientBase<V>

/** Milliseconds that a call may take when nothing else is said. */
const defaultTimeout = 30_000

/**
 * Makes a client. A call resolves with `{ data }` or `{ error }`, and rejects only when there is no
 * answer of the service.
 *
 * @throws TypeError for a `baseUrl` that is no URL, and for a credential that is undefined or empty.
 * @throws {@link ConnectionError} from a call, when the network fails and no retry is left.
 * @throws {@link TimeoutError} from a call, when its time is over; an abort rejects with its reason.
 * @throws {@link AnswerError} from a call, when what answers is not the service.
 * @throws {@link ContractError} from a call, when `validate` is set and a body does not fit.
 * @example
 * ```ts
 * import { createClient } from 'financial-data-service'
 *
 * const client = createClient({
 *   baseUrl: 'http://127.0.0.1:4010',
 *   clientId: 'sandbox-client',
 *   secret: 'sandbox-secret',
 * })
 * const { data, error } = await client.accountsGet({
 *   access_token: 'access-sandbox-00000000-0000-4000-8000-000000000001',
 * })
 * console.log(error ? error.error_code : data.accounts.length)
 * ```
 */
export function createClient<const V extends Version = CurrentVersion>(
  options: ClientOptions<V>,
): Client<V> {
  const settings = toSettings(options)
  const { version, baseUrl, credentials } = settings
  const safe = safePaths.split(' ')
  const methods = [...safe, ...otherPaths.split(' ')].map((path) => {
    const operationId = toOperationId(path)
    const form = formOperations.includes(operationId)
    const operation = { operationId, path, safe: safe.includes(path), form }
    return [
      operationId,
      (body: object, options?: CallOptions<Version>) =>
        startCall(settings, operation, body, options),
    ]
  })
  const raw = createFetchClient({
    baseUrl,
    redirect: 'manual',
    headers: toHeaders(credentials, { [headerNames.version]: version }),
    fetch: options.fetch ?? ((request) => fetch(request)),
  })
  const at = (version: Version) => createClient({ ...options, version })
  // Which body belongs to which method is what `Client` says; here all of them are alike.
  return { ...Object.fromEntries(methods), version, at, raw } as Client<V>
}

function toSettings(options: ClientOptions<Version>): Settings {
  const own = options.fetch
  return {
    baseUrl: checkedUrl(options.baseUrl),
    credentials: toCredentials(options),
    version: options.version ?? currentVersion,
    timeout: options.timeout ?? defaultTimeout,
    retries: options.retries ?? 2,
    hooks: options.hooks ?? {},
    validate: options.validate ?? {},
    // The global one is looked up at each call, since test tools replace it.
    fetch: own ? (url, init) => own(new Request(url, init)) : (url, init) => fetch(url, init),
  }
}

/** With a slash at its end. What the platform says of a URL with a password contains the password. */
function checkedUrl(baseUrl: string): string {
  const page = globalThis.location?.href
  const url = URL.canParse(baseUrl, page) ? new URL(baseUrl, page).href : ''
  if (!/^https?:\/\/[^/@]+\/[^?#]*$/.test(url)) {
    throw new TypeError('baseUrl must be an http or https URL, without credentials or query')
  }
  return url.replace(/\/?$/, '/')
}

/** Both or neither: the service would reject each call, and an environment often lacks one. */
function toCredentials(options: Pick<ClientOptions, 'clientId' | 'secret'>) {
  const { clientId, secret } = options
  if (!(clientId && secret) && ('clientId' in options || 'secret' in options)) {
    const missing = clientId ? 'secret' : 'clientId'
    throw new TypeError(`${missing} must be set: is its environment variable?`)
  }
  return { [headerNames.clientId]: clientId, [headerNames.secret]: secret }
}

const toOperationId = (path: string) =>
  path.replace(/[/_](.)/g, (_, letter: string) => letter.toUpperCase()) as OperationId
