import fc from 'fast-check'
import { versions } from '../../../../scripts/contract/contract.ts'
import { type CredentialWay, credentialWays } from './call.ts'
import { headerTricks, hostileName, hostileValue, spices, tricks } from './hostile.ts'
import { type LawName, lawNames } from './laws.ts'
import { isWatchable } from './laws-changes.ts'
import { type Body, bodiesOf, type Form, goodBodiesOf, isRead, type Subject } from './subjects.ts'

/** A call before it is known what its references stand for. */
export interface CallStep {
  kind: 'call'
  subject: Subject
  who: number
  version: string | undefined
  body: Body
  credentials: CredentialWay
  bearer: number | undefined
  trick: string | undefined
  headerTrick: string | undefined
  form: boolean
  luck: number[]
  /** What is looked at besides the answer. */
  look: 'nothing' | 'repeat' | 'unchanged'
}

/** A property that takes several requests. */
interface LawStep {
  kind: 'law'
  law: LawName
  who: number
  luck: number[]
}

export interface GetStep {
  kind: 'get'
  method: string
  path: string
}

/** Some calls, of which it is watched what they change. */
export interface ChangesStep {
  kind: 'changes'
  who: number
  calls: CallStep[]
}

export type Step = CallStep | LawStep | GetStep | ChangesStep

/** How many tenants a run has. */
const tenantCount = 2

const who = fc.nat(tenantCount - 1)
const luck = fc.array(fc.nat(999), { minLength: 10, maxLength: 10 })

const rarely = <Value>(arbitrary: fc.Arbitrary<Value>, oneIn: number) =>
  fc.oneof(
    { arbitrary: fc.constant<Value | undefined>(undefined), weight: oneIn - 1 },
    { arbitrary: arbitrary as fc.Arbitrary<Value | undefined>, weight: 1 },
  )

/** A body with a hostile value at one of its places, or a hostile field. */
function spoilt(bodies: fc.Arbitrary<Body>): fc.Arbitrary<Body> {
  return fc
    .record({
      body: bodies,
      at: fc.nat(99),
      value: hostileValue,
      name: rarely(hostileName, 3),
      spice: rarely(fc.constantFrom(...spices), 2),
    })
    .map(({ body, at, value, name, spice }) => {
      if (name !== undefined) return withOwn(body, name, value)
      return put(body, at, (old) =>
        spice === undefined || typeof old !== 'string' ? value : old + spice,
      )
    })
}

/** Replaces what stands at one place of a body, at any depth. */
function put(body: Body, at: number, change: (old: unknown) => unknown): Body {
  const names = Object.keys(body)
  const name = names[at % Math.max(1, names.length)]
  if (name === undefined) return body
  const inner = body[name]
  const isDeep = typeof inner === 'object' && inner !== null && at % 3 > 0
  const next = isDeep ? put(inner as Body, Math.floor(at / 3), change) : change(inner)
  return Array.isArray(body)
    ? (Object.values({ ...body, [name]: next }) as unknown as Body)
    : withOwn(body, name, next)
}

/** By definition, since the name may be `__proto__`. */
const withOwn = (body: Body, name: string, value: unknown): Body =>
  Object.defineProperty(Array.isArray(body) ? { body } : { ...body }, name, {
    value,
    enumerable: true,
    configurable: true,
    writable: true,
  })

/** How often an operation is called; what undoes much, or takes long, less often. */
const weights: Readonly<Record<string, number>> = {
  sandboxPublicTokenCreate: 3,
  itemPublicTokenExchange: 5,
  itemRemove: 3,
  sandboxReset: 1,
  sandboxClientCreate: 3,
  sandboxErrorInject: 12,
  sandboxErrorClear: 4,
  sandboxItemSetHealth: 5,
  oauthToken: 14,
  transactionsSync: 14,
  transactionsGet: 12,
  sandboxTransactionsRemove: 8,
}

function formOf(subject: Subject, version: string | undefined): Form {
  const form = subject.forms[version ?? versions.at(-1) ?? '']
  if (!form) throw new Error(`${subject.id} has no ${version}`)
  return form
}

function callsOf(subject: Subject): fc.Arbitrary<CallStep> {
  const version = fc.constantFrom<string | undefined>(undefined, ...versions)
  return version.chain((named) => {
    const bodies = bodiesOf(formOf(subject, named))
    return fc.record<CallStep>({
      kind: fc.constant('call'),
      subject: fc.constant(subject),
      who,
      version: fc.constant(named),
      body: fc.oneof({ arbitrary: bodies, weight: 7 }, { arbitrary: spoilt(bodies), weight: 2 }),
      credentials: fc.oneof(
        { arbitrary: fc.constant<CredentialWay>('headers'), weight: 20 },
        { arbitrary: fc.constantFrom(...credentialWays), weight: 2 },
      ),
      bearer: rarely(fc.nat(999), 12),
      trick: rarely(fc.constantFrom(...Object.keys(tricks)), 14),
      headerTrick: rarely(fc.constantFrom(...Object.keys(headerTricks)), 20),
      form: fc.nat(9).map((chosen) => chosen > 6),
      luck,
      look: fc.oneof(
        { arbitrary: fc.constant('nothing' as const), weight: 9 },
        { arbitrary: fc.constantFrom('repeat' as const, 'unchanged' as const), weight: 2 },
      ),
    })
  })
}

const getPaths = [
  '/',
  '/docs',
  '/docs/',
  '/docs/errors',
  '/docs/../../etc/passwd',
  '/docs/%2e%2e/%2e%2e/package.json',
  '/docs/%00',
  '/docs/%c0%af',
  '/docs/openapi/2020-09-14.json',
  '/.well-known/oauth-authorization-server',
  '/.well-known/../accounts/get',
  '/icons/x.png',
  '/icons/..%2f..%2fx.png',
  '/logos/%E0%A4%A.png',
  '/logos/a.png?x=1',
  '/images/a/b1.png?client=a&expires=9e99&signature=',
  '/images/%00/b1.png?expires=NaN&client=&signature=x',
  '/images/',
  '//accounts/get',
  '/accounts/get/',
  '/accounts/get?client_id=x',
  '/ACCOUNTS/GET',
  '/accounts%2fget',
  '/sandbox/../accounts/get',
  '/__proto__',
  '/constructor/prototype',
  '/%',
  `/${'x'.repeat(9000)}`,
]

const gets: fc.Arbitrary<GetStep> = fc.record({
  kind: fc.constant('get' as const),
  method: fc.constantFrom('GET', 'HEAD', 'OPTIONS', 'PUT', 'DELETE', 'PATCH', 'POST'),
  path: fc.constantFrom(...getPaths),
})

/** Calls that are good as they are drawn, of what changes something. */
function changesOf(subjects: readonly Subject[]): fc.Arbitrary<ChangesStep> {
  const changing = subjects.filter((subject) => !isRead(subject) && isWatchable(subject))
  const calls = changing.map((subject) =>
    callsOf(subject).chain((step) =>
      goodBodiesOf(formOf(subject, step.version)).map((body) => ({ ...step, body })),
    ),
  )
  return fc.record({
    kind: fc.constant('changes' as const),
    who,
    calls: fc.array(fc.oneof(...calls), { minLength: 1, maxLength: 6, size: 'max' }),
  })
}

/** Sequences of requests by several tenants. */
export function plans(subjects: readonly Subject[], length: number): fc.Arbitrary<Step[]> {
  const calls = fc.oneof(
    ...subjects.map((subject) => ({
      arbitrary: callsOf(subject),
      weight: weights[subject.id] ?? (subject.isSandboxOperation ? 5 : 7),
    })),
  )
  const laws = fc.record<LawStep>({
    kind: fc.constant('law'),
    law: fc.constantFrom(...lawNames),
    who,
    luck,
  })
  const steps = fc.oneof<fc.MaybeWeightedArbitrary<Step>[]>(
    { arbitrary: calls, weight: 60 },
    { arbitrary: laws, weight: 4 },
    { arbitrary: changesOf(subjects), weight: 1 },
    { arbitrary: gets, weight: 2 },
  )
  return fc.array(steps, { minLength: 1, maxLength: length, size: 'max' })
}
