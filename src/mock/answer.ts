import { setTimeout as sleep } from 'node:timers/promises'
import { paths } from '#contract/operations.ts'
import type { ErrorKey } from '../../generated/errors.ts'
import { productionPaths, paths as undatedPaths } from '../../generated/undated.ts'
import { wellKnownClients, wellKnownPublicKey } from '../server/clients/well-known-clients.ts'
import type { AppOptions } from '../server/http/app.ts'
import { ApiError, type ErrorContext } from '../server/kernel/errors.ts'
import { bundleFile } from '../server/kernel/files.ts'
import {
  type Admission,
  asOAuth,
  type CheckedRequest,
  checkRequest,
  type WireRequest,
} from '../server/pipeline/check-request.ts'
import type { Credentials } from '../server/pipeline/credentials.ts'
import { currentVersion, inVersion, type Version } from '../server/versions/select-version.ts'
import { chooseExample, type ExamplesByStatus } from './choose-example.ts'
import { type Preferences, preferenceApplied, readPreferences } from './preferences.ts'
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
export function createMock(): Pick<AppOptions, 'answer' | 'undatedPaths'> {
  const prisms = new Map<string, Promise<PrismMock>>()
  const prismOf = (document: string) => {
    const prism = prisms.get(document) ?? createPrism(bundleFile(document))
    prisms.set(document, prism)
    return prism
  }
  void prismOf(currentVersion)
  return {
    undatedPaths,
    async answer(request, context) {
      const place = placeOf(request.operationId)
      if (!place) throw onlyInService()
      const { version, body } = await checkInVersion(request)
      const { document = version, path } = place
      const prism = await prismOf(document)
      const examples = prism.examples(path)
      const read = () => readPreferences(request.headers['prefer'], examples)
      const preferences = request.operationId.startsWith('oauth') ? asOAuth(read) : read()
      await sleep(preferences.delay)
      const { code } = preferences
      const example = preferences.example ?? usualExample(request.operationId, code, body, examples)
      if (code === 'default') throw namedError(example as ErrorKey, preferences)
      // The checks have read the body, so Prism gets it as JSON whatever it came as.
      const headers = { 'content-type': 'application/json', accept: 'application/json' }
      const answer = await prism.answer({ path, headers, body, code, example })
      const applied = preferenceApplied(preferences, answer.status, example)
      const ownBody = answer.status < 400 ? answer.body : asOwn(answer.body, context)
      return { ...answer, headers: { ...answer.headers, ...applied }, body: ownBody }
    },
  }
}

/** Checks a request; an error has the form of the version that the request chose. */
async function checkInVersion(request: WireRequest): Promise<CheckedRequest> {
  let chosen: Version = currentVersion
  const choose = (version: Version) => {
    chosen = version
  }
  try {
    return await checkRequest(request, { ...admission, choose })
  } catch (error) {
    throw error instanceof ApiError ? inVersion(error, chosen) : error
  }
}

/** The path of an operation, and its document if that has no versions. The sandbox API has no examples to answer with. */
function placeOf(operationId: string): { path: string; document?: string } | undefined {
  const dated = (paths as Paths)[operationId]
  if (dated) return { path: dated }
  const [found] = Object.entries<Paths>(productionPaths).flatMap(([document, own]) => {
    const path = own[operationId]
    return path ? [{ path, document }] : []
  })
  return found
}

type Paths = Readonly<Record<string, string>>

const onlyInService = (): ApiError =>
  new ApiError('NOT_FOUND', {
    message:
      'the mock keeps nothing, so it has no sandbox API; `npx financial-data-service` starts the service, which has',
  })

/** The example for a caller who named none: of success the one that fits best, of errors the first. */
function usualExample(
  operationId: string,
  code: string,
  body: unknown,
  examples: ExamplesByStatus,
): string {
  const ofCode = examples[code] ?? {}
  if (code === '200') return chooseExample(operationId, body as object, ofCode)
  return Object.keys(ofCode)[0] ?? ''
}

/** An error that any operation may answer: the contract lists it under no status. */
function namedError(key: ErrorKey, preferences: Preferences): ApiError {
  const { status } = new ApiError(key)
  return new ApiError(key, { headers: preferenceApplied(preferences, status, key) })
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
