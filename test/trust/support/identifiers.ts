import {
  type Contract,
  eachOperation,
  readBundle,
  requestSchema,
  resolve,
  type Schema,
  written,
} from '../../../scripts/contract/contract.ts'

/** A field of a request that can name something that belongs to a client. */
export interface NamingField {
  path: string
  /** The names from the body to the field; `[]` is each element of a list. */
  keys: string[]
  name: string
}

const isNaming = (name: string): boolean =>
  /(_ids?|_tokens?|^token|cursor)$|_ids?_/.test(name) && !isCredential(name)
const isCredential = (name: string): boolean => ['client_id', 'client_secret'].includes(name)

/** Every field of every request whose name says that its text names something. */
export function namingFields(): NamingField[] {
  return written
    .map((name) => readBundle(name))
    .flatMap((contract) =>
      eachOperation(contract).flatMap(({ path, operation }) =>
        fieldsIn(contract, requestSchema(operation), []).map((keys) => {
          return { path, keys, name: keys.filter((key) => key !== '[]').at(-1) ?? '' }
        }),
      ),
    )
}

function fieldsIn(contract: Contract, node: Schema, keys: string[]): string[][] {
  const schema = resolve(contract, node)
  const parts = [...(schema.allOf ?? []), ...(schema.anyOf ?? []), ...(schema.oneOf ?? [])]
  const within = parts.flatMap((part) => fieldsIn(contract, part, keys))
  const items = schema.items ? fieldsIn(contract, schema.items, [...keys, '[]']) : []
  const members = Object.entries(schema.properties ?? {}).flatMap(([name, member]) =>
    fieldsIn(contract, member, [...keys, name]),
  )
  const name = keys.filter((key) => key !== '[]').at(-1) ?? ''
  const isText = [schema.type].flat().includes('string') && schema.enum === undefined
  const own = isText && isNaming(name) ? [keys] : []
  return distinct([...own, ...within, ...items, ...members])
}

const distinct = (all: string[][]): string[][] => [
  ...new Map(all.map((keys) => [keys.join('.'), keys])).values(),
]

type Json = Record<string, unknown>

/** A copy of a body that has a value at a field, with what has to be there for it. */
export function put(body: unknown, keys: readonly string[], value: unknown): unknown {
  const [key, ...rest] = keys
  if (key === undefined) return value
  if (key === '[]') return [put(Array.isArray(body) ? body[0] : undefined, rest, value)]
  const members = typeof body === 'object' && body !== null ? (body as Json) : {}
  return { ...members, [key]: put(members[key], rest, value) }
}

/** What is at a field of a body; of a list, in its first element. */
export const at = (body: unknown, keys: readonly string[]): unknown =>
  keys.reduce((node, key) => (node as Json | undefined)?.[key === '[]' ? '0' : key], body)

/** The kind of what a field names, where several names mean one. */
export function kindOf(name: string): string {
  const singular = name.replace(/s$/, '').replace(/_ids_.*/, '_id')
  return { next_cursor: 'cursor', asset_report_tokens: 'asset_report_token' }[singular] ?? singular
}

/** Everything that an answer names, by kind; `id` depends on the object that it is in. */
export function namesIn(body: unknown, path: string): Map<string, Set<string>> {
  const found = new Map<string, Set<string>>()
  const add = (kind: string, value: unknown) => {
    if (typeof value !== 'string' || value === '') return
    found.set(kind, (found.get(kind) ?? new Set()).add(value))
  }
  const walk = (node: unknown, name: string, parent: string): void => {
    if (Array.isArray(node)) for (const one of node) walk(one, name, parent)
    else if (typeof node === 'object' && node !== null) {
      for (const [key, value] of Object.entries(node)) walk(value, key, name || ownerOf(path))
    } else if (name === 'id') add(`${parent.replace(/s$/, '')}_id`, node)
    else if (path === '/oauth/token') add(name === 'access_token' ? 'token' : name, node)
    else if (isNaming(name) && name !== 'request_id') add(kindOf(name), node)
  }
  walk(body, '', '')
  return found
}

/** What an operation's path is about: `/sandbox/dashboard_user/create` is about a dashboard user. */
const ownerOf = (path: string): string => path.split('/').at(-2) ?? ''

/** A value of the same form that was never issued. */
export function toUnknown(value: string): string {
  const swap = (letter: string): string => {
    if (/[0-8]/.test(letter)) return String(Number(letter) + 1)
    if (letter === '9') return '0'
    if (/[a-e]/.test(letter)) return String.fromCharCode(letter.charCodeAt(0) + 1)
    return letter === 'f' ? 'a' : letter
  }
  // The first digit of a group in a UUID says its version.
  return (
    value.slice(0, -7) +
    value
      .slice(-7)
      .replaceAll(/[0-9a-f]/g, swap)
      .replaceAll(/[G-Z]/g, 'F')
  )
}
