import type { Body, TestService } from '../../support/service.ts'
import { kindOf, type NamingField, namingFields, put, toUnknown } from './identifiers.ts'
import { type Inhabitant, ownBody } from './populate.ts'

/** An answer as it came, but for the id of its request. */
interface Answer {
  status: number
  text: string
  ms: number
}

/** What was seen of one value that the caller does not have. */
export interface Sight {
  what: string
  /** The field that the value stood in; a bearer's stands in none. */
  field?: string
  foreign: Answer
  unknown: Answer
}

const exchange = 'urn:ietf:params:oauth:grant-type:token-exchange'
const subjects = ['tokens:user', 'credit:multi-user', 'oauth:user-token']

/** The requests of a caller's own that one of its fields is replaced in. */
function basesOf(caller: Inhabitant, path: string, audience: string): Body[] {
  const recorded = caller.calls.get(path)?.body ?? ownBody(caller, path)
  if (path !== '/oauth/token') return [recorded]
  const exchanges = subjects.map((subject) => ({
    grant_type: exchange,
    subject_token_type: `urn:service:params:${subject}`,
    audience: subject === 'oauth:user-token' ? audience : caller.tenant.clientId,
    subject_token: 'nothing',
  }))
  return [recorded, ...exchanges]
}

/** Sends bytes as a tenant does, and measures until the answer is there. */
export async function send(
  service: TestService,
  { tenant }: Inhabitant,
  path: string,
  body: unknown,
  headers: Record<string, string> = {},
): Promise<Answer> {
  const request = new Request(service.url + path, {
    method: 'POST',
    headers: {
      'Content-Type': 'application/json',
      'SERVICE-CLIENT-ID': tenant.clientId,
      'SERVICE-SECRET': tenant.secret,
      ...headers,
    },
    body: JSON.stringify(body),
  })
  const start = performance.now()
  const response = await service.fetch(request)
  const text = await response.text()
  const ms = performance.now() - start
  return { status: response.status, text: text.replace(/"request_id":"\w+"/, ''), ms }
}

/** What of an owner's a caller is to try in a field: of its kind, or one of every kind. */
function valuesFor({ name }: NamingField, owner: Inhabitant, mostOfKind: number, all: boolean) {
  const own = [...(owner.names.get(kindOf(name)) ?? [])]
  const most = name === 'cursor' ? own.length : mostOfKind
  const tokens = name === 'token' || name === 'subject_token' ? tokensOf(owner) : []
  const others = all ? [...owner.names.values()].map((values) => [...values].at(-1) as string) : []
  return [...new Set([...own.slice(-most), ...tokens, ...others])]
}

const tokensOf = ({ names }: Inhabitant): string[] =>
  ['token', 'refresh_token', 'user_token'].flatMap((kind) => [...(names.get(kind) ?? [])].slice(-1))

/** Lists whose cursor is a bare position, of anybody: it says where to begin in one's own. */
const positioned = ['/sandbox/request/list', '/sandbox/webhook/list']

export interface Extent {
  mostOfKind: number
  everyKind: boolean
}

export const nameOf = ({ path, keys }: NamingField): string => `${path} ${keys.join('.')}`

/** Lets a caller try everything of an owner's in every field of every request. */
export async function* look(
  service: TestService,
  caller: Inhabitant,
  owner: Inhabitant,
  { mostOfKind, everyKind, secret }: Extent & { secret: ReadonlySet<string> },
): AsyncGenerator<Sight> {
  for (const field of namingFields()) {
    const { path, keys, name } = field
    // Of one's own a cursor stays a position in what one has now.
    if (name === 'cursor' && (positioned.includes(path) || caller === owner)) continue
    for (const base of basesOf(caller, path, owner.tenant.clientId)) {
      for (const value of valuesFor(field, owner, mostOfKind, everyKind)) {
        if (!secret.has(value)) continue
        const foreign = await send(service, caller, path, put(base, keys, value))
        const unknown = await send(service, caller, path, put(base, keys, toUnknown(value)))
        yield { what: `${nameOf(field)} ${value}`, field: nameOf(field), foreign, unknown }
      }
    }
  }
}

/** Lets a caller present an owner's OAuth token with every request that it makes itself. */
export async function* lookAsBearer(
  service: TestService,
  caller: Inhabitant,
  owner: Inhabitant,
): AsyncGenerator<Sight> {
  const token = [...(owner.names.get('token') ?? [])].at(-1) ?? ''
  for (const { path, body } of caller.calls.values()) {
    if (path === '/oauth/token') continue
    const [foreign, unknown] = [token, toUnknown(token)].map((one) => ({
      Authorization: `Bearer ${one}`,
    }))
    yield {
      what: `${path} as bearer ${token}`,
      foreign: await send(service, caller, path, body, foreign),
      unknown: await send(service, caller, path, body, unknown),
    }
  }
}

/** Whether two answers differ in what a caller could not tell from chance. */
export function isAlike({ foreign, unknown }: Sight): boolean {
  if (foreign.status !== unknown.status) return false
  if (foreign.text === unknown.text) return true
  // What a request makes has an id by chance, and so differs each time.
  return foreign.status === 200 && shapeOf(foreign.text) === shapeOf(unknown.text)
}

const shapeOf = (text: string): string =>
  JSON.stringify(JSON.parse(text.replaceAll(/,(?=\s*})|(?<={),/g, '')), (_, value) =>
    typeof value === 'string' || typeof value === 'number' ? typeof value : value,
  )

/** What an answer tells of an owner's that the request did not name itself. */
export function leaksIn({ what, foreign }: Sight, secret: ReadonlySet<string>): string[] {
  const told = foreign.text.match(/"(?:[^"\\]|\\.)*"/g) ?? []
  const names = new Set(told.map((text) => text.slice(1, -1)))
  return [...names].filter((name) => secret.has(name) && !what.endsWith(` ${name}`))
}

/** Whether what a message says repeats what was sent. */
export function isEchoed({ what, foreign }: Sight): boolean {
  const sent = what.split(' ').at(-1) ?? ''
  return foreign.status !== 200 && sent.length > 5 && foreign.text.includes(sent)
}

const reading = [
  '/accounts/get',
  '/identity/get',
  '/liabilities/get',
  '/transactions/get',
  '/wallet/list',
  '/transfer/get',
  '/asset_report/get',
  '/identity_verification/list',
  '/dashboard_user/list',
  '/bank_transfer/event/sync',
  '/webhook_verification_key/get',
]

/** What an owner sees of its own. */
export async function ownView(service: TestService, owner: Inhabitant): Promise<string[]> {
  const calls = reading.map((path) => ({ path, body: owner.calls.get(path)?.body ?? {} }))
  const more = [
    { path: '/sandbox/webhook/list', body: { count: 100 } },
    { path: '/sandbox/clock/get', body: {} },
  ]
  const seen: string[] = []
  for (const { path, body } of [...calls, ...more]) {
    const { status, text } = await send(service, owner, path, body)
    seen.push(`${path} ${status} ${text}`)
  }
  return seen
}

/** What is an owner's alone: names that others have too, such as an institution's, tell nothing. */
export function namesOfItsOwn(owner: Inhabitant, all: readonly Inhabitant[]): Set<string> {
  const own = new Set([...owner.names.values()].flatMap((values) => [...values]))
  for (const other of all) {
    if (other === owner) continue
    for (const values of other.names.values()) for (const value of values) own.delete(value)
  }
  return own
}
