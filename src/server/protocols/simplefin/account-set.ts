import { plainText } from '../../../statements/values.ts'
import { SourceFailed } from '../source-failed.ts'

/** A response of `/accounts`, as far as it can be read. What is no object or no text is left out. */
export interface AccountSet {
  accounts: readonly Fields[]
  errors: readonly ToldError[]
  /** The name of each connection by its id. */
  connections: ReadonlyMap<string, string>
}

/** The members of a JSON object. */
export type Fields = Readonly<Record<string, unknown>>

/** An error that the server tells beside the accounts. */
export interface ToldError {
  isLogin: boolean
  /** About the request and not about what was told, such as a warning of too many requests. */
  isAboutRequest: boolean
  message: string
  connection?: string | undefined
  account?: string | undefined
}

/** Reads the text of a response. */
export function parseAccountSet(text: string): AccountSet {
  const set = toFields(parse(text))
  const accounts = set?.['accounts']
  if (!set || !Array.isArray(accounts)) {
    throw new SourceFailed('outage', 'the response is no set of accounts')
  }
  return {
    accounts: listOf(accounts),
    errors: toErrors(set),
    connections: new Map(
      listOf(set['connections']).flatMap((one) => {
        const id = textOf(one, 'conn_id')
        return id === undefined ? [] : [[id, textOf(one, 'name') ?? id] as const]
      }),
    ),
  }
}

function parse(text: string): unknown {
  if (countParts(text) > mostParts) {
    throw new SourceFailed('outage', 'the response has too many values')
  }
  try {
    // Some servers write a byte order mark.
    return JSON.parse(text.startsWith('\ufeff') ? text.slice(1) : text)
  } catch {
    throw new SourceFailed('outage', 'the response is no JSON')
  }
}

/** About a hundred thousand rows. In memory each value takes many times the bytes that it has here. */
const mostParts = 2_000_000

/** How many commas and opening brackets a text has: about as many as values. */
function countParts(text: string): number {
  let count = 0
  for (let at = 0; at < text.length && count <= mostParts; at += 1) {
    const code = text.charCodeAt(at)
    if (code === 0x2c || code === 0x5b || code === 0x7b) count += 1
  }
  return count
}

export const toFields = (value: unknown): Fields | undefined =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
    ? (value as Fields)
    : undefined

export const listOf = (value: unknown): readonly Fields[] =>
  (Array.isArray(value) ? value : []).flatMap((one: unknown): Fields[] => {
    const fields = toFields(one)
    return fields ? [fields] : []
  })

const longest = 512

/** A member that is a text; some servers write ids as numbers. */
export function textOf(fields: Fields | undefined, name: string): string | undefined {
  const value = fields?.[name]
  if (typeof value === 'number') return String(value)
  return typeof value === 'string' && value.trim() !== '' ? value.slice(0, longest) : undefined
}

const longestMessage = 200

/** A server of version 2 repeats in `errors` what `errlist` says with codes. */
function toErrors(set: Fields): ToldError[] {
  const coded = set['errlist']
  if (Array.isArray(coded)) return listOf(coded).map(toCoded)
  const errors = set['errors']
  return (Array.isArray(errors) ? errors : []).map((one: unknown) => {
    const fields = toFields(one)
    if (fields) return toCoded(fields)
    const message = toMessage(typeof one === 'string' ? one : '')
    return { message, isLogin: asksForLogin.test(message), isAboutRequest: false }
  })
}

function toCoded(fields: Fields): ToldError {
  const code = textOf(fields, 'code') ?? ''
  return {
    isLogin: /\.auth\b/.test(code),
    isAboutRequest: code === 'gen.api',
    message: toMessage(textOf(fields, 'msg') ?? textOf(fields, 'message') ?? code),
    connection: textOf(fields, 'conn_id'),
    account: textOf(fields, 'account_id'),
  }
}

/** Version 1 has no codes. Its page gives "You must reauthenticate." as the example. */
const asksForLogin = /\bre-?auth|\blog(?: ?in|in)? again\b|\bcredentials\b/i

const toMessage = (text: string): string => plainText(text).slice(0, longestMessage)
