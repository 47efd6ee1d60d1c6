import { findClient, findClientByPublicKey, type StoredClient } from '../clients/store.ts'
import type { BearerToken } from '../kernel/context.ts'
import { ApiError } from '../kernel/errors.ts'
import { isSameHash } from '../kernel/keys.ts'
import { authenticateBearerToken } from '../tokens/bearer.ts'
import { currentVersion, type Version } from '../versions/select-version.ts'
import type { Admission, WireRequest } from './check-request.ts'
import type { WithoutPermit } from './concurrency-limiter.ts'
import type { Guess } from './guess-limits.ts'
import type { InjectedFault } from './injected-fault.ts'
import type { PipelineService } from './pipeline-service.ts'

/** The results of the checks about the sender of a request. */
export interface AuthResult {
  client: StoredClient | undefined
  /** The API version of the response. */
  version: Version | undefined
  bearer: BearerToken | undefined
  fault: InjectedFault | undefined
}

/** Authenticates clients against the database, and stores the result in `auth`. */
export function admissionOf(
  service: PipelineService,
  auth: AuthResult,
  request: WireRequest,
  withoutPermit: WithoutPermit,
): Admission {
  const { database, keys, guessLimits, fairShares } = service
  const guessOf = (kind: Guess['kind'], claimed?: string): Guess => ({
    kind,
    claimed,
    peer: request.peer?.(),
    forwarded: request.headers['x-forwarded-for'] !== undefined,
  })
  // The claimed client is looked up once, for its version and for its secret.
  const claimed = new Map<string, Promise<StoredClient | undefined>>()
  const find = (clientId: string) => {
    const found = claimed.get(clientId) ?? findClient(database.single, clientId)
    claimed.set(clientId, found)
    return found
  }
  const findByKey = async (publicKey: string | undefined) =>
    publicKey === undefined ? undefined : await findClientByPublicKey(database.single, publicKey)
  return {
    async defaultVersion({ clientId, publicKey }) {
      const client = await (clientId === undefined ? findByKey(publicKey) : find(clientId))
      return (client?.default_version as Version | undefined) ?? currentVersion
    },
    choose(version) {
      auth.version = version
    },
    now: () => new Date(service.clock() + (auth.client?.clock_offset_ms ?? 0)),
    async authenticate(credentials, operation) {
      if (request.inside) {
        const client = await find(request.inside.clientId)
        if (client?.disabled_at !== null) throw new ApiError('INVALID_API_KEYS')
        auth.client = client
        return
      }
      const { clientId } = credentials
      const guess = () => guessOf('secret', clientId)
      guessLimits.admit(guess, operation)
      const client = await find(clientId)
      const hash = fairShares.hashOf(credentials, request.share)
      if (!client || !isSecretOf(client, hash, service.clock())) {
        guessLimits.fail(guess(), client !== undefined)
        fairShares.forget(clientId, hash)
        throw new ApiError(operation.oauth ? 'oauth.invalid_client' : 'INVALID_API_KEYS')
      }
      fairShares.know(clientId, hash)
      auth.client = client
    },
    async authenticatePublicKey(publicKey, operation) {
      const guess = () => guessOf('public_key')
      guessLimits.admit(guess, operation)
      auth.client = await findByKey(publicKey)
      if (auth.client?.disabled_at === null) return
      guessLimits.fail(guess(), false)
      throw new ApiError('INVALID_API_KEYS')
    },
    async authenticateBearer(token, operation) {
      const client = auth.client as StoredClient
      const guess = () => guessOf('bearer_token', client.client_id)
      guessLimits.admit(guess, operation)
      const now = service.clock() + client.clock_offset_ms
      const tokenHash = keys.hash(token)
      // An expired token is not a guess.
      const onUnknown = () => guessLimits.fail(guess(), true)
      const presented = { client, now, tokenHash, onUnknown }
      auth.bearer = await authenticateBearerToken(database.single, presented)
    },
    async admit(operation, body) {
      const client = auth.client as StoredClient
      const subject = () => subjectOf(service, body)
      await service.rateLimits.count(client, operation, subject)
      if (client.injections === 0) return
      const accessTokenHash = subject()
      const { operationId } = request
      auth.fault = await service.takeFault({ client, operationId, accessTokenHash })
      await auth.fault?.before(operation, withoutPermit)
    },
  }
}

/** Whether a hash is that of a secret which lets the client in at a time, in real ms. */
function isSecretOf(client: StoredClient, hash: string, now: number): boolean {
  if (client.disabled_at !== null) return false
  if (isSameHash(client.secret_hash, hash)) return true
  const { previous_secret_hash: previous, previous_secret_until: until } = client
  return previous !== null && now < Number(until) && isSameHash(previous, hash)
}

/** The hash of the Item's or report's token, which is the key of counts for it. */
function subjectOf(service: PipelineService, body: Record<string, unknown>): string | undefined {
  const token = body['access_token'] ?? body['asset_report_token']
  return typeof token === 'string' ? service.keys.hash(token) : undefined
}
