import { spices } from './hostile.ts'
import type { Known, Memory } from './memory.ts'
import type { Body } from './subjects.ts'

/** Numbers that decide what is left open in a step; small ones are the plain choice. */
export type Luck = (bound: number) => number

export const luckOf = (numbers: readonly number[]): Luck => {
  let used = 0
  return (bound) => (numbers[used++ % numbers.length] ?? 0) % bound
}

const kindsOfField = new Map<string, readonly string[]>(
  Object.entries({
    access_token: ['item'],
    access_tokens: ['item'],
    account_id: ['account'],
    account_ids: ['account'],
    account_ids_to_exclude: ['account'],
    transaction_id: ['transaction'],
    transaction_ids: ['transaction'],
    asset_report_token: ['report'],
    user_token: ['user_token'],
    user_id: ['user'],
    client_user_id: ['client_user'],
    wallet_id: ['wallet'],
    transfer_id: ['transfer'],
    authorization_id: ['authorization'],
    refund_id: ['refund'],
    bank_transfer_id: ['bank_transfer'],
    identity_verification_id: ['verification'],
    template_id: ['template'],
    webhook_id: ['webhook'],
    key_id: ['key'],
    public_token: ['public'],
    refresh_token: ['refresh'],
    subject_token: ['user_token', 'refresh'],
    token: ['refresh', 'bearer'],
    audience: ['client'],
    originator_client_id: ['client'],
    institution_id: ['institution'],
  }),
)

const anyKind = ['item', 'account', 'wallet', 'report', 'user_token', 'refresh', 'bearer', 'public']

/** What tenants share, choose by themselves, or may tell each other. */
const open = new Set(['client', 'client_user', 'template', 'institution'])

/** A cursor of these is an offset, so tenants with as many rows have equal cursors. */
const isListCursor = (kind: string): boolean =>
  kind === 'cursor of sandboxWebhookList' || kind === 'cursor of sandboxRequestList'

/** A body whose ids, tokens and cursors come from responses. */
export interface Filled {
  body: Body
  /** The values in it that are another tenant's. */
  foreign: string[]
  /** Whether it names several of a kind, of which some may be good. */
  namesSeveral: boolean
}

/** Puts what the memory holds where a body names something. */
export function fillReferences(
  body: Body,
  place: { operationId: string; who: number; luck: Luck; memory: Memory },
): Filled {
  const { operationId, who, luck, memory } = place
  const foreign: string[] = []
  let item: string | undefined
  let namesSeveral = false

  function choose(kinds: readonly string[], drawn: string): string {
    const known = kinds.flatMap((kind) => memory.all(kind))
    const own = known.filter((one) => one.owner === who && !one.ended)
    const near = own.filter((one) => one.item === undefined || one.item === item)
    const way = luck(100)
    const isOpen = kinds.some((kind) => open.has(kind) || isListCursor(kind))
    const take = (list: readonly Known[]): string =>
      list.length === 0 ? drawn : (list[luck(list.length)]?.value ?? drawn)
    if (way < 66) return take(near.length > 0 ? near : own)
    if (way < 72) return take(own)
    if (way < 80) {
      const others = known.filter((one) => one.owner !== who)
      const value = take(others)
      if (others.length > 0 && !isOpen) foreign.push(value)
      return value
    }
    if (way < 86) return spoil(take(own), luck)
    if (way < 91) return take(known.filter((one) => one.owner === who && one.ended))
    if (way < 93 && !isOpen)
      return take(anyKind.flatMap((kind) => memory.all(kind)).filter((one) => one.owner === who))
    if (way < 98) return take(own) + spices[luck(spices.length)]
    return drawn
  }

  function visit(value: unknown, name: string): unknown {
    const kinds = name === 'cursor' ? [`cursor of ${operationId}`] : kindsOfField.get(name)
    if (typeof value === 'string') return kinds ? choose(kinds, value) : value
    if (Array.isArray(value)) {
      if (kinds && value.length > 1) namesSeveral = true
      return value.map((member) => visit(member, name))
    }
    if (typeof value !== 'object' || value === null) return value
    const copy: Body = {}
    for (const [key, member] of Object.entries(value)) {
      // By definition, since the name may be `__proto__`.
      const filled = visit(member, key)
      if (key === 'access_token' && typeof filled === 'string') item = filled
      Object.defineProperty(copy, key, {
        value: filled,
        enumerable: true,
        configurable: true,
        writable: true,
      })
    }
    return copy
  }

  /** Now and then everything that a body names is what stood together before. */
  function together(): Record<string, string> {
    const names = Object.keys(body).filter((name) => /_id$/.test(name) && kindsOfField.has(name))
    if (names.length < 2 || luck(2) === 0) return {}
    const known = memory.joined(who, names)
    const chosen = known[luck(Math.max(1, known.length))] ?? {}
    return Object.fromEntries(
      names.flatMap((name) => (name in chosen ? [[name, chosen[name] as string]] : [])),
    )
  }

  // The token comes first in a body, so that its own accounts can be chosen after it.
  const { access_token, ...rest } = body
  const ordered = access_token === undefined ? body : { access_token, ...rest }
  const filled = visit(Object.hasOwn(body, '__proto__') ? body : ordered, '') as Body
  Object.assign(filled, together())
  const text = JSON.stringify(filled)
  const stillForeign = foreign.filter((value) => text.includes(JSON.stringify(value)))
  return { body: filled, foreign: stillForeign, namesSeveral }
}

/** The same with one character changed: it was never issued. */
export function spoil(value: string, luck: Luck): string {
  if (value === '') return 'x'
  const at = value.length - 1 - luck(Math.min(8, value.length))
  const other = value[at] === 'a' ? 'b' : 'a'
  return `${value.slice(0, at)}${other}${value.slice(at + 1)}`
}

/** Of the same form as a value, and never given to anybody. */
export function neverGiven(value: string): string {
  const last = value.slice(-2)
  return value.slice(0, -2) + (last === '77' ? '88' : '77')
}
