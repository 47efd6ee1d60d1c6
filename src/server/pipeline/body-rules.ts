import type { Issue } from '../../validators/issues.ts'
import { isCountry } from '../kernel/countries.ts'
import { ApiError, invalidField } from '../kernel/errors.ts'
import { foreignCursorMessage, fromIdCursor } from '../kernel/list-cursor.ts'
import type { AnyOperationId } from '../kernel/operation.ts'
import { readTimestamp } from '../kernel/time.ts'
import type { Body } from './parse-body.ts'

/** The input of a rule besides the body. */
interface Caller {
  clientId: string | undefined
  now: Date
}

type Rule = (body: Body, caller: Caller) => void

const abaWeights = [3, 7, 1]

/** The check digit of a routing number: the weighted digits sum to a multiple of ten. */
function isRoutingNumber(number: string): boolean {
  const digits = [...number].map(Number)
  const sum = digits.reduce(
    (total, digit, index) => total + digit * (abaWeights[index % 3] ?? 0),
    0,
  )
  return sum % 10 === 0
}

function transferMigrateAccount(body: Body): void {
  for (const field of ['routing_number', 'wire_routing_number']) {
    const number = body[field]
    if (typeof number === 'string' && !isRoutingNumber(number)) {
      throw invalidField(`\`${field}\` must be a routing number whose check digit fits`)
    }
  }
}

function transactionsGet(body: Body): void {
  if (String(body['start_date']) > String(body['end_date'])) {
    throw invalidField('`start_date` must not be after `end_date`')
  }
}

function transactionsSync(body: Body): void {
  const options = body['options'] as Body | undefined
  const [outer, inner] = [body['account_id'], options?.['account_id']]
  if (outer !== undefined && inner !== undefined && outer !== inner) {
    throw invalidField('`account_id` and `options.account_id` must be equal when both are given')
  }
}

const futureTolerance = 5 * 60 * 1000

function protectEventSend(body: Body, { now }: Caller): void {
  const event = body['event'] as Body
  for (const [field, value] of [
    ['event.timestamp', event['timestamp']],
    ['timestamp', body['timestamp']],
  ]) {
    if (typeof value === 'string' && readTimestamp(value) - now.getTime() > futureTolerance) {
      throw invalidField(`\`${field}\` must not be more than 5 minutes ahead`)
    }
  }
}

function oauthToken(body: Body, { clientId }: Caller): void {
  const own = body['subject_token_type'] === 'urn:service:params:tokens:user'
  if (own && body['audience'] !== clientId) {
    const message = '`audience` must be your own client id for this `subject_token_type`'
    throw new ApiError('oauth.invalid_request', { message })
  }
}

function userCreate(body: Body, { now }: Caller): void {
  const path = 'consumer_report_user_identity'
  const identity = body[path] as Body | null | undefined
  if (!identity) return
  if (String(identity['date_of_birth']) > now.toISOString().slice(0, 10)) {
    throw invalidField(`\`${path}.date_of_birth\` must not be in the future`)
  }
}

function identityVerificationCreate(body: Body, { now }: Caller): void {
  const user = (body['user'] ?? {}) as { date_of_birth?: string; address?: { country: string } }
  if (user.date_of_birth !== undefined && user.date_of_birth > now.toISOString()) {
    throw invalidField('`user.date_of_birth` must not be a day in the future')
  }
  if (user.address && !isCountry(user.address.country)) {
    throw invalidField('`user.address.country` must be the ISO 3166-1 alpha-2 code of a country')
  }
}

/** Rules of the contract: `auth` requires Instant Auth, and the shares of a breakdown sum to 1. */
function sandboxInstitutionCreate(body: Body): void {
  const methods = body['auth_methods'] as { instant_auth?: boolean } | undefined
  if (methods && !methods.instant_auth && (body['products'] as string[]).includes('auth')) {
    throw invalidField('`products` can hold `auth` only where `auth_methods.instant_auth` is true')
  }
  for (const [name, entry] of Object.entries((body['status'] ?? {}) as Body)) {
    const shares = (entry as { breakdown?: Record<string, number> } | null)?.breakdown
    if (!shares) continue
    const { success = 0, error_plaid = 0, error_institution = 0 } = shares
    if (Math.abs(success + error_plaid + error_institution - 1) > 1e-6) {
      throw invalidField(`\`status.${name}.breakdown\` must hold three numbers that sum to 1`)
    }
  }
}

/** Fields of which a request needs one. A schema of the contract cannot say so where null counts as absent. */
const choices: Partial<Record<AnyOperationId, readonly Choice[]>> = {
  linkTokenCreate: [
    {
      names: ['user', 'user_id'],
      message: 'must be an object with `client_user_id`, unless you send `user_id`',
    },
    {
      names: ['products', 'access_token'],
      message: 'must name at least one product, unless you send `access_token` for the update flow',
    },
  ],
}

interface Choice {
  names: readonly string[]
  /** What is said of the first name. */
  message: string
}

const isGiven = (value: unknown): boolean =>
  value != null && !(Array.isArray(value) && value.length === 0)

/** Choices of which a body has nothing. They are told together with what else is wrong with it. */
export function findUnchosen(operationId: AnyOperationId, body: Body): Issue[] {
  const known = choices[operationId]
  if (!known) return []
  const open = known.filter(({ names }) => !names.some((name) => isGiven(body[name])))
  return open.map(({ names: [path = ''], message }) => ({
    path,
    code: 'INVALID_FIELD',
    message,
  }))
}

/** A cursor that no response can have given is told together with what else is wrong. */
export function findForeignCursor(operationId: AnyOperationId, { cursor }: Body): Issue[] {
  if (operationId !== 'dashboardUserList' || typeof cursor !== 'string') return []
  // The schema tells of other lengths.
  if (cursor === '' || cursor.length > 1024 || fromIdCursor(cursor) !== undefined) return []
  return [{ path: 'cursor', code: 'INVALID_FIELD', message: foreignCursorMessage }]
}

const rules: Partial<Record<AnyOperationId, Rule>> = {
  identityVerificationCreate,
  oauthToken,
  protectEventSend,
  sandboxInstitutionCreate,
  transactionsGet,
  transactionsSync,
  transferMigrateAccount,
  userCreate,
}

/** Rejects errors of a body that a schema cannot express. */
export function checkBodyRules(operationId: AnyOperationId, body: Body, caller: Caller): void {
  rules[operationId]?.(body, caller)
}
