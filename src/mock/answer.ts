import { setTimeout as sleep } from 'node:timers/promises'
import { paths } from '../../generated/2020-09-14/operations.ts'
import type { ErrorKey } from '../../generated/errors.ts'
import { type Admission, checkRequest, type WireRequest } from '../server/check-request.ts'
import type { Credentials } from '../server/credentials.ts'
import { ApiError } from '../server/errors.ts'
import type { WireAnswer } from '../server/http/app.ts'
import { currentVersion, type Version } from '../server/versions.ts'
import { wellKnownClients, wellKnownPublicKey } from '../server/well-known-clients.ts'
import { readPreferences } from './preferences.ts'
import { createPrism, type PrismMock } from './prism.ts'

/** Who may use the mock: it keeps no state, so it knows the well-known clients only. */
const admission: Admission = {
  defaultVersion: currentVersion,
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
export function createMock(): { answer(request: WireRequest): Promise<WireAnswer> } {
  const prisms = new Map<Version, Promise<PrismMock>>()
  const prismOf = (version: Version) => {
    const prism = prisms.get(version) ?? createPrism(version)
    prisms.set(version, prism)
    return prism
  }
  void prismOf(currentVersion)
  return {
    async answer(request) {
      const { version, body } = await checkRequest(request, admission)
      const prism = await prismOf(version)
      const path = paths[request.operationId]
      const preferences = readPreferences(request.headers['prefer'], prism.examples(path))
      await sleep(preferences.delay)
      if (preferences.code === 'default') throw new ApiError(preferences.example as ErrorKey)
      // The checks have read the body, so Prism gets it as JSON whatever it came as.
      const headers = { 'content-type': 'application/json', accept: 'application/json' }
      return prism.answer({ path, headers, body, preferences })
    },
  }
}
