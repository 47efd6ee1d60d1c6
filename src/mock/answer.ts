import { setTimeout as sleep } from 'node:timers/promises'
import { type OperationId, paths } from '#contract/operations.ts'
import type { ErrorKey } from '../../generated/errors.ts'
import { wellKnownClients, wellKnownPublicKey } from '../server/clients/well-known-clients.ts'
import type { AppOptions } from '../server/http/app.ts'
import { ApiError, type ErrorContext } from '../server/kernel/errors.ts'
import { type Admission, asOAuth, checkRequest } from '../server/pipeline/check-request.ts'
import type { Credentials } from '../server/pipeline/credentials.ts'
import { currentVersion, type Version } from '../server/versions/select-version.ts'
import { readPreferences } from './preferences.ts'
import { createPrism, type PrismMock } from './prism.ts'

/** Who may use the mock: it keeps no state, so it knows the well-known clients only. */
const admission: Admission = {
  defaultVersion: () => currentVersion,
  now: () => new Date(),
  authenticate(credentials, { oauth }) {
    if (!isWellKnown(credentials)) {
      throw new ApiError(oauth ? 'oauth.invalid_client' : 'INVALID_API_KEYS')
    }
  },
  authenticateBearer(token) {
    if (!token.startsWith('sva-')) throw new ApiError('INVALID_INPUT.INVALID_ACCESS_TOKEN.401')
  },
  authenticatePublicKey(publicKey) {
    if (publicKey !== wellKnownPublicKey) throw new ApiError('INVALID_API_KEYS')
  },
}

const isWellKnown = ({ clientId, secret }: Credentials): boolean =>
  wellKnownClients.some((client) => client.clientId === clientId && client.secret === secret)

/** Answers operations with the contract's examples, after the checks that the service makes too. */
export function createMock(): Pick<AppOptions, 'answer'> {
  const prisms = new Map<Version, Promise<PrismMock>>()
  const prismOf = (version: Version) => {
    const prism = prisms.get(version) ?? createPrism(version)
    prisms.set(version, prism)
    return prism
  }
  void prismOf(currentVersion)
  return {
    async answer(request, context) {
      const { version, body } = await checkRequest(request, admission)
      const prism = await prismOf(version)
      const path = paths[request.operationId as OperationId]
      const wishes = () => readPreferences(request.headers['prefer'], prism.examples(path))
      const preferences = request.operationId.startsWith('oauth') ? asOAuth(wishes) : wishes()
      await sleep(preferences.delay)
      if (preferences.code === 'default') throw new ApiError(preferences.example as ErrorKey)
      // The checks have read the body, so Prism gets it as JSON whatever it came as.
      const headers = { 'content-type': 'application/json', accept: 'application/json' }
      const answer = await prism.answer({ path, headers, body, preferences })
      return answer.status < 400 ? answer : { ...answer, body: asOwn(answer.body, context) }
    },
  }
}

/** An error's example as an error of this very request: its id, and a page of these docs. */
function asOwn(body: unknown, { requestId, docsUrl = '' }: ErrorContext): Record<string, unknown> {
  const own: Record<string, unknown> = { ...(body as object), request_id: requestId }
  for (const name of ['documentation_url', 'error_uri']) {
    const page = own[name]
    if (typeof page === 'string') own[name] = page.replace(/^https?:\/\/[^/]+\/docs/, docsUrl)
  }
  return own
}
