import { headerNames, type OperationId } from '../../generated/2020-09-14/operations.ts'
import type { Issue } from '../validators/issues.ts'
import { checkBodyRules } from './body-rules.ts'
import { type OperationErrors, refuseIssues } from './check-fields.ts'
import {
  type Credentials,
  type Headers,
  takeCredentials,
  takeOAuthCredentials,
} from './credentials.ts'
import { ApiError } from './errors.ts'
import { type Body, parseBody } from './parse-body.ts'
import { operationsOf, selectVersion, type Version } from './versions.ts'

/** A request as it arrived. */
export interface WireRequest {
  operationId: OperationId
  headers: Headers
  body: Uint8Array
}

/** A request whose form is right: what is left to check needs the state of the world. */
export interface CheckedRequest {
  operationId: OperationId
  version: Version
  headers: Headers
  body: Body
}

/** What differs between those who ask: the version of a client, and who may come in. */
export interface Admission {
  defaultVersion: Version
  now(): Date
  /** Throws when the client is not known. */
  authenticate(credentials: Credentials, operation: { oauth: boolean }): void | Promise<void>
  /** Throws when the token is not known, or no longer valid. */
  authenticateBearer(token: string): void | Promise<void>
  /** Throws when the key is not known. */
  authenticatePublicKey(publicKey: string): void | Promise<void>
}

/**
 * Checks a request in the order that the interface fixes: body, version, credentials, then unknown,
 * missing and malformed fields. The first stage that finds something answers.
 */
export async function checkRequest(
  request: WireRequest,
  admission: Admission,
): Promise<CheckedRequest> {
  const { operationId, headers } = request
  const current = (await operationsOf(admission.defaultVersion)).operations[operationId]
  const read = () => parseBody(request.body, headers['content-type'], current.mediaTypes)
  const body = current.oauth ? asOAuth(read) : read()
  const choose = () => {
    return selectVersion(headers[headerNames.version.toLowerCase()], admission.defaultVersion)
  }
  const version = current.oauth ? asOAuth(choose) : choose()
  const { operations, validators } = await operationsOf(version)
  const operation = operations[operationId]
  const issues = (await validators[operationId]()).request.issues(body)
  refuseIncompatible(body, operation, issues)
  const aboutCredentials = issues.filter(isAboutCredentials)
  if (operation.oauth && aboutCredentials.length > 0) throw new ApiError('oauth.invalid_client')
  refuseIssues(aboutCredentials, operation)
  const clientId = await admit(headers, body, operation, issues, admission)
  const bearer = operation.oauth ? undefined : readBearer(headers)
  if (bearer !== undefined) await admission.authenticateBearer(bearer)
  refuseIssues(
    issues.filter((issue) => !isMadeGood(issue, operation, bearer)),
    operation,
  )
  checkBodyRules(operationId, body, { clientId, now: admission.now() })
  return { operationId, version, headers, body }
}

/** The token operations tell everything in RFC 6749's words. */
export function asOAuth<T>(check: () => T): T {
  try {
    return check()
  } catch (error) {
    if (!(error instanceof ApiError)) throw error
    throw new ApiError('oauth.invalid_request', { message: error.message, cause: error })
  }
}

const isAboutCredentials = (issue: Issue): boolean =>
  ['client_id', 'secret', 'client_secret', 'public_key'].includes(issue.path) &&
  issue.code !== 'UNKNOWN_FIELDS'

/** A public key came in place of credentials, in a version that no longer takes one. */
function refuseIncompatible(
  body: Body,
  operation: OperationErrors,
  issues: readonly Issue[],
): void {
  const listed = operation.errors['400']?.includes('INCOMPATIBLE_API_VERSION')
  const unknown = issues.some((issue) => issue.path === 'public_key')
  if (listed && unknown && Object.hasOwn(body, 'public_key')) {
    throw new ApiError('INCOMPATIBLE_API_VERSION')
  }
}

/** The token of RFC 6750's header; the header without one is refused like a wrong one. */
function readBearer(headers: Headers): string | undefined {
  const header = headers['authorization']
  if (header === undefined || !/^Bearer\b/i.test(header)) return undefined
  const token = header.match(/^Bearer +(\S+)$/i)?.[1]
  if (token === undefined) throw new ApiError('INVALID_INPUT.INVALID_ACCESS_TOKEN.401')
  return token
}

/** A bearer token stands in for the body's token where the contract says so. */
const isMadeGood = (
  issue: Issue,
  operation: { bearerReplaces: string | null },
  bearer: string | undefined,
): boolean =>
  bearer !== undefined &&
  operation.bearerReplaces !== null &&
  issue.code === 'MISSING_FIELDS' &&
  issue.path === ''

/** Lets the client in, and returns its id where one was given. */
async function admit(
  headers: Headers,
  body: Body,
  operation: { oauth: boolean },
  issues: readonly Issue[],
  admission: Admission,
): Promise<string | undefined> {
  const publicKey = body['public_key']
  const takesKey = !issues.some((issue) => issue.path === 'public_key')
  if (typeof publicKey === 'string' && takesKey && !operation.oauth) {
    await admission.authenticatePublicKey(publicKey)
    return undefined
  }
  const take = operation.oauth ? takeOAuthCredentials : takeCredentials
  const credentials = take(headers, body)
  await admission.authenticate(credentials, operation)
  return credentials.clientId
}
