import { headerNames } from '#contract/operations.ts'
import type { IgnoredField } from '../../validators/ignored.ts'
import type { Issue } from '../../validators/issues.ts'
import type { Validator } from '../../validators/validate.ts'
import { ApiError } from '../kernel/errors.ts'
import type { AnyOperationId } from '../kernel/operation.ts'
import { upgradeRequest } from '../versions/convert.ts'
import {
  currentVersion,
  describeOperation,
  isCurrent,
  type OperationRow,
  selectVersion,
  type Version,
} from '../versions/select-version.ts'
import { checkBodyRules, findForeignCursor, findUnchosen } from './body-rules.ts'
import { describeIssues, rejectIssues } from './check-fields.ts'
import {
  type Credentials,
  clientIdHeader,
  credentialFields,
  type Headers,
  takeCredentials,
  takeFromHeaders,
  takeOAuthCredentials,
} from './credentials.ts'
import type { Share } from './fair-shares.ts'
import { readIdempotencyKey } from './idempotency.ts'
import { type Body, parseBody, rejectEncoding } from './parse-body.ts'

/** A request as it arrived. */
export interface WireRequest {
  operationId: AnyOperationId
  headers: Headers
  body: Uint8Array
  /** The IP address of the sender. */
  peer?(): string | undefined
  /**
   * Set inside the service only: a user of the dashboard sends a call of this client again, or an agent
   * calls for the client.
   */
  inside?: { clientId: string; resentFrom: string | null }
  /** The fair share that the request counts against. */
  share?: Share
}

/** A request whose form is valid. The remaining checks need stored state. */
export interface CheckedRequest {
  operationId: AnyOperationId
  operation: OperationRow
  version: Version
  /** In the form of the current version. The code after the checks knows only that form. */
  body: Body
  /** The fields that the operation does not know and ignores. */
  ignored: readonly IgnoredField[]
  /** Set if the answer is stored, and returned to a repetition of the request. */
  idempotencyKey: string | undefined
}

/** The claimed sender of a request. */
interface ClaimedClient {
  clientId?: string | undefined
  publicKey?: string | undefined
}

/** The parts that depend on the sender: the client's version, and authentication. */
export interface Admission {
  /** The version for a request that names none. The client id is only claimed at this point. */
  defaultVersion(claimed: ClaimedClient): Version | Promise<Version>
  /** Called with the version of the request. */
  choose?(version: Version): void
  now(): Date
  /** Throws if the client is not known. */
  authenticate(credentials: Credentials, operation: OperationRow): void | Promise<void>
  /** Throws if the token is not known, or no longer valid. */
  authenticateBearer(token: string, operation: OperationRow): void | Promise<void>
  /** Throws if the key is not known. */
  authenticatePublicKey(publicKey: string, operation: OperationRow): void | Promise<void>
  /** Called after authentication and before the fields are checked: limits and faults. */
  admit?(operation: OperationRow, body: Body): Promise<void>
}

/**
 * Checks a request in the order that the contract fixes: version, credentials, body, limits, then
 * unknown, missing and malformed fields. The body comes first if it can contain credentials. The
 * first stage with an error ends the checks. Fields are not checked before authentication succeeds.
 */
export async function checkRequest(
  request: WireRequest,
  admission: Admission,
): Promise<CheckedRequest> {
  const { operationId, headers } = request
  const { operation: current } = await describeOperation(operationId, currentVersion)
  const read = (describeEmpty?: () => string) => readBody(request, current, describeEmpty)
  const shown = mayHavePublicKey(current) ? undefined : takeFromHeaders(headers, current.oauth)
  const early = shown ? undefined : read()
  const version = await chooseVersion(headers, early ?? {}, current, admission)
  admission.choose?.(version)
  // A user who sends a call again wants it to run again.
  const idempotencyKey = request.inside ? undefined : readIdempotencyKey(headers, current)
  const { operation, validators } = await describeOperation(operationId, version)
  const { request: validator } = await validators()
  if (shown) await admission.authenticate(shown, operation)
  const find = (sent: Body) => [
    ...validator.issues(sent),
    ...findUnchosen(operationId, sent),
    ...findForeignCursor(operationId, sent),
  ]
  const body = early ?? read(() => describeIssues(find({})))
  rejectCredentials(body, operation, validator)
  const clientId = await admit({ headers, body, operation, validator, shown }, admission)
  const bearer = operation.oauth ? undefined : readBearer(headers)
  if (bearer !== undefined) await admission.authenticateBearer(bearer, operation)
  await admission.admit?.(operation, body)
  const ignored = validator.ignored(body)
  rejectIssues(
    find(body).filter((issue) => !isMadeGood(issue, operation, bearer)),
    operation,
    ignored,
  )
  const upgraded = isCurrent(version) ? body : await upgradeRequest({ operationId, version }, body)
  checkBodyRules(operationId, upgraded, { clientId, now: admission.now() })
  return { operationId, operation, version, body: upgraded, ignored, idempotencyKey }
}

function readBody(
  { headers, body }: WireRequest,
  { mediaTypes, oauth }: OperationRow,
  describeEmpty?: () => string,
): Body {
  const read = () => {
    rejectEncoding(headers['content-encoding'])
    return parseBody(body, headers['content-type'], mediaTypes, describeEmpty)
  }
  return oauth ? asOAuth(read) : read()
}

// Node returns header names in lower case.
const versionHeader = headerNames.version.toLowerCase()

/** The version that the header names, otherwise that of the claimed client. */
async function chooseVersion(
  headers: Headers,
  body: Body,
  operation: OperationRow,
  admission: Admission,
): Promise<Version> {
  const header = headers[versionHeader]
  const byDefault =
    header === undefined
      ? await admission.defaultVersion(readClaimed(headers, body))
      : currentVersion
  const choose = () => selectVersion(header, byDefault)
  return operation.oauth ? asOAuth(choose) : choose()
}

function readClaimed(headers: Headers, body: Body): ClaimedClient {
  const clientId = headers[clientIdHeader] ?? body['client_id']
  if (typeof clientId === 'string') return { clientId }
  const publicKey = body['public_key']
  return typeof publicKey === 'string' ? { publicKey } : {}
}

/** The token operations report all errors in the format of RFC 6749. */
export function asOAuth<T>(check: () => T): T {
  try {
    return check()
  } catch (error) {
    if (!(error instanceof ApiError)) throw error
    throw new ApiError('oauth.invalid_request', { message: error.message, cause: error })
  }
}

type RequestValidator = Validator<unknown>

/** Checks only the credentials in a body. */
function findCredentialIssues(body: Body, validator: RequestValidator): Issue[] {
  const given = credentialFields.filter((name) => Object.hasOwn(body, name))
  if (given.length === 0) return []
  const issues = validator.issues(Object.fromEntries(given.map((name) => [name, body[name]])))
  return issues.filter(({ path }) => credentialFields.some((name) => name === path))
}

function rejectCredentials(body: Body, operation: OperationRow, validator: RequestValidator): void {
  const issues = findCredentialIssues(body, validator)
  rejectIncompatible(operation, issues)
  const malformed = issues.filter(({ code }) => code !== 'UNKNOWN_FIELDS')
  if (operation.oauth && malformed.length > 0) throw new ApiError('oauth.invalid_client')
  rejectIssues(malformed, operation)
}

/** Whether an older version of the operation accepts a public key instead of credentials. */
const mayHavePublicKey = ({ errors }: OperationRow): boolean =>
  errors['400']?.includes('INCOMPATIBLE_API_VERSION') === true

/** The request has a public key instead of credentials, in a version that no longer accepts one. */
function rejectIncompatible(operation: OperationRow, issues: readonly Issue[]): void {
  const unknown = issues.some((issue) => issue.path === 'public_key')
  if (unknown && mayHavePublicKey(operation)) throw new ApiError('INCOMPATIBLE_API_VERSION')
}

/** The token of RFC 6750's header. A header without a token fails like a wrong token. */
function readBearer(headers: Headers): string | undefined {
  const header = headers['authorization']
  if (header === undefined || !/^Bearer\b/i.test(header)) return undefined
  const token = header.match(/^Bearer +(\S+)$/i)?.[1]
  if (token === undefined) throw new ApiError('INVALID_INPUT.INVALID_ACCESS_TOKEN.401')
  return token
}

/** A bearer token replaces the body's token if the contract allows it. */
const isMadeGood = (
  issue: Issue,
  operation: { bearerReplaces: string | null },
  bearer: string | undefined,
): boolean =>
  bearer !== undefined &&
  operation.bearerReplaces !== null &&
  issue.code === 'MISSING_FIELDS' &&
  issue.path === ''

/** The parts of a request that identify its sender. */
interface Claim {
  headers: Headers
  body: Body
  operation: OperationRow
  validator: RequestValidator
  /** The credentials that are authenticated already. */
  shown: Credentials | undefined
}

/** Authenticates the client, and returns its id if the request has one. */
async function admit(
  { headers, body, operation, validator, shown }: Claim,
  admission: Admission,
): Promise<string | undefined> {
  const publicKey = body['public_key']
  if (typeof publicKey === 'string' && !operation.oauth && takesKey(publicKey, validator)) {
    await admission.authenticatePublicKey(publicKey, operation)
    return undefined
  }
  const take = operation.oauth ? takeOAuthCredentials : takeCredentials
  const credentials = take(headers, body)
  if (!shown) await admission.authenticate(credentials, operation)
  return credentials.clientId
}

/**
 * Whether the version accepts a public key instead of credentials. In other versions it is an
 * unknown field.
 */
const takesKey = (publicKey: string, validator: RequestValidator): boolean =>
  findCredentialIssues({ public_key: publicKey }, validator).length === 0
