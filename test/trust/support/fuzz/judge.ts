import { errorCatalogue } from '../../../../generated/errors.ts'
import { codeOf } from '../../../../src/contract/code-of.ts'
import type { Issue } from '../../../../src/validators/issues.ts'
import { type Call, isSound, type Written } from './call.ts'
import { canary } from './hostile.ts'
import type { Memory } from './memory.ts'
import type { Body, Subject } from './subjects.ts'
import type { Answer } from './target.ts'
import type { Pending, Tenant } from './tenants.ts'

/** What of an answer is wrong; each begins with the name of the property. */
type Findings = string[]

type Key = keyof typeof errorCatalogue

export const codeIn = (body: unknown): string | undefined => {
  const { error_code, error } = (body ?? {}) as Body
  return typeof error_code === 'string' ? error_code : typeof error === 'string' ? error : undefined
}

/** The key of the catalogue that an answer stands for, among those that the operation lists. */
export function keyOf(subject: Subject, { status, json }: Answer): string | undefined {
  const code = codeIn(json)
  const type = (json as Body | undefined)?.['error_type'] ?? 'OAUTH'
  return subject.errors[String(status)]?.find((key) => {
    const entry = errorCatalogue[key as Key]
    return entry.code === code && entry.type === type && entry.status === status
  })
}

/** Only injected faults lead to these. */
const onlyInjected: ReadonlySet<string> = new Set([
  'INTERNAL_SERVER_ERROR',
  'PLANNED_MAINTENANCE',
  'RATE_LIMIT',
  'ACCOUNTS_LIMIT',
  'IDENTITY_LIMIT',
  'TRANSACTIONS_LIMIT',
  'TRANSACTIONS_SYNC_LIMIT',
  'TRANSACTIONS_REFRESH_LIMIT',
  'INSTITUTION_RATE_LIMIT',
])

/** What holds for every answer of an operation, whatever was sent. */
export function judgeAnswer(
  call: Pick<Call, 'subject' | 'version'>,
  answer: Answer,
  fault: Pending | undefined,
  version: string,
): Findings {
  const { subject } = call
  const { status, headers, json } = answer
  if (status === 0) return fault?.drop ? [] : ['lives: the connection ended without an answer']
  const findings: Findings = []
  const body = json as Body | undefined
  if (typeof body !== 'object' || body === null) return [`valid: the answer is no object of JSON`]
  if (!/^application\/json\b/.test(String(headers['content-type']))) findings.push('valid: type')
  if (headers['request-id'] !== body['request_id']) findings.push('valid: Request-Id differs')
  if (status === 200) {
    if (!fault?.unknown_enum) findings.push(...unfit(subject, version, answer))
    findings.push(...judgeAmounts(body))
    if (subject.oauth && headers['cache-control'] !== 'no-store') findings.push('valid: cached')
    return findings
  }
  const key = keyOf(subject, answer)
  if (!key) findings.push(`listed: ${status} ${codeIn(body)} is not listed by ${subject.id}`)
  findings.push(...unfit(subject, version, answer))
  if (status === 429 && !Number(headers['retry-after'])) findings.push('valid: no Retry-After')
  if (status === 401 && !headers['www-authenticate']) findings.push('valid: no WWW-Authenticate')
  const code = codeIn(body) ?? ''
  if (status >= 500 && fault?.error_code !== code) findings.push(`lives: ${status} ${code}`)
  if (onlyInjected.has(code) && fault?.error_code !== code) {
    findings.push(`faults: ${code} was asked for by nobody`)
  }
  return findings
}

function unfit(subject: Subject, version: string, { status, json }: Answer): Findings {
  const validate = subject.forms[version]?.answer(status)
  if (!validate) return [`listed: ${subject.id} lists no ${status}`]
  if (validate(json)) return []
  const [first] = validate.errors ?? []
  return [
    `valid: ${status} of ${version}: ${first?.instancePath} ${first?.keyword} ${JSON.stringify(first?.params)}`,
  ]
}

const amountNames =
  /^(amount|current|available|limit|balance|starting_balance|last_payment_amount)$/

/** Money has at most two decimals, whatever was added to what. */
function judgeAmounts(value: unknown, name = ''): Findings {
  if (typeof value === 'number') {
    const exact = Number(value.toFixed(2)) === value
    return amountNames.test(name) && !exact ? [`money: \`${name}\` is ${value}`] : []
  }
  if (typeof value !== 'object' || value === null) return []
  for (const [key, member] of Object.entries(value)) {
    const found = judgeAmounts(member, Array.isArray(value) ? name : key)
    if (found.length > 0) return found
  }
  return []
}

/** What must come of a call, as far as its own text decides. */
export function judgeOutcome(
  call: Call,
  written: Written,
  answer: Answer,
  fault: Pending | undefined,
  version: string,
): Findings {
  const { subject, credentials } = call
  const { status, json } = answer
  const code = codeIn(json)
  const rejectedWays = [
    'wrong secret',
    'another tenant’s secret',
    'no secret',
    'none',
    'secret of objects',
  ]
  if (rejectedWays.includes(credentials) && status === 200 && !hasPublicKey(call, version)) {
    return [`credentials: ${credentials}, and the answer is 200`]
  }
  if (!written.plain || fault?.error_code || fault?.drop) return []
  const { read } = written
  if (!read || !isSound(read)) {
    const expected = subject.oauth ? 'invalid_request' : 'INVALID_BODY'
    return code === expected && status === 400 ? [] : [`text: ${status} ${code}, not ${expected}`]
  }
  if (call.bearer !== undefined && !subject.oauth) return []
  const issues = subject.forms[version]?.request.issues(read) ?? []
  const expected = codeOf(issues, subject.oauth)
  if (expected !== undefined) {
    if (code === 'INCOMPATIBLE_API_VERSION') return []
    return status === 400 && (code === expected || isOfRule(code, json, issues))
      ? []
      : [`fields: ${status} ${code}, not ${expected} (${issues[0]?.path} ${issues[0]?.message})`]
  }
  if (code === 'UNKNOWN_FIELDS' || code === 'MISSING_FIELDS' || code === 'INVALID_BODY') {
    return [`fields: ${status} ${code} for what the contract accepts`]
  }
  return []
}

/** Whether the code is that of a rule that no schema says: then more fields are named than the schema finds. */
function isOfRule(code: string | undefined, json: unknown, issues: readonly Issue[]): boolean {
  const { fields = [] } = json as { fields?: { field: string }[] }
  const isNamed = ({ path }: Issue) => fields.some(({ field }) => field === path)
  return code === 'INVALID_FIELD' && fields.length > issues.length && issues.every(isNamed)
}

const hasPublicKey = (call: Call, version: string): boolean =>
  call.subject.id === 'institutionsSearch' && version < '2020-09-14'

const tokenForm =
  /(?:access|public|assets|user|link)-sandbox-[0-9a-f]{8}-[0-9a-f-]{27}|sv[ar]-[\w-]{22}==|secret-[0-9a-f]{32}/g

/** The fields that tell a token, by operation. */
const tells: Readonly<Record<string, readonly string[]>> = {
  oauthToken: ['access_token', 'refresh_token'],
  itemPublicTokenExchange: ['access_token'],
  itemAccessTokenInvalidate: ['new_access_token'],
  transferMigrateAccount: ['access_token'],
  sandboxPublicTokenCreate: ['public_token'],
  sandboxLinkSessionFinish: ['public_tokens'],
  linkTokenCreate: ['link_token'],
  // Of what was sent to the client itself.
  sandboxWebhookList: ['webhooks'],
  linkTokenGet: ['link_token', 'link_sessions'],
  assetReportCreate: ['asset_report_token'],
  assetReportFilter: ['asset_report_token'],
  userCreate: ['user_token'],
  sandboxClientCreate: ['secret'],
}

/** What must stand in no answer: tokens, secrets, what was sent to hurt, and what is another tenant's. */
export function judgeSecrets(
  call: Call,
  answer: Answer,
  tenants: readonly Tenant[],
  memory: Memory,
): Findings {
  const { subject, who, bearer } = call
  const { status, text } = answer
  const told = status === 200 ? (tells[subject.id] ?? []) : []
  const allowed = JSON.stringify(told.map((name) => (answer.json as Body)[name]))
  // A name that the caller chose for something of its own may look like a token.
  const chosen = status === 200 ? JSON.stringify(call.body) : ''
  const token = text
    .match(tokenForm)
    ?.find((one) => !allowed.includes(one) && !chosen.includes(one))
  if (token) return [`secret: a token in the answer of ${subject.id}`]
  if (tenants.some(({ secret }) => text.includes(secret))) return ['secret: a secret in an answer']
  if (status !== 200) {
    // Letters by chance spell anything, once in a million times.
    const words = text.replace(/"request_id":"\w+"/, '')
    return words.includes(canary) ? ['echo: a refusal repeats what was sent'] : []
  }
  // A bearer token may stand for a user of another client, whose report it opens.
  if (bearer !== undefined && subject.id === 'assetReportGet') return []
  const leaked = findForeign(answer.json, who, memory)
  return leaked ? [`tenants: ${leaked} of another tenant in an answer`] : []
}

const shared = new Set(['client', 'template', 'institution', 'public_key', 'client_user'])
const isShared = ({ kind }: { kind: string }): boolean =>
  shared.has(kind) || (kind.startsWith('cursor of ') && kind !== 'cursor of transactionsSync')

function findForeign(value: unknown, who: number, memory: Memory): string | undefined {
  if (typeof value === 'string') {
    const known = value.length < 12 ? undefined : memory.find(value)
    return known && known.owner !== who && !isShared(known) ? known.kind : undefined
  }
  if (typeof value !== 'object' || value === null) return undefined
  for (const member of Object.values(value)) {
    const found = findForeign(member, who, memory)
    if (found) return found
  }
  return undefined
}

/** What must stand in no line of the log. */
export function judgeLog(lines: readonly string[], tenants: readonly Tenant[]): Findings {
  return lines.flatMap((line) => {
    if (line.startsWith('error')) return [`log: ${line.slice(0, 700)}`]
    const hurts = line.includes(canary) || new RegExp(tokenForm).test(line)
    const tells = hurts || tenants.some(({ secret }) => line.includes(secret))
    return tells ? ['log: a secret in a line of the log'] : []
  })
}
