import type { Contract } from '../contract/contract.ts'
import type { Contracts, Place, Told } from './finding.ts'
import type { KindName } from './kinds.ts'
import { unescapeKey } from './node.ts'
import type { RedoclyChange } from './redocly.ts'
import { usersOf } from './users.ts'

/** Rated by our own comparison of bodies, which knows each direction and what answers leave open. */
const ofSchemas = new Set([
  ...['schema-type-changed', 'enum-values-removed', 'enum-values-added', 'property-removed'],
  ...['required-properties-added', 'required-properties-removed', 'schema-constraint-changed'],
  'schema-combinator-changed',
])

/** Told by our own pairing, which follows an operation to another path. */
const ofOperations = new Set(['operation-removed', 'operation-id-changed', 'path-removed'])

const kindByRule: Record<string, KindName> = {
  'parameter-became-required': 'header required',
  'parameter-removed': 'header removed',
  'response-header-removed': 'header removed',
  'media-type-removed': 'media type removed',
  'security-requirement-changed': 'authentication changed',
  'security-scheme-changed': 'authentication changed',
  'server-removed': 'server removed',
}

const kindByType: Record<string, [kind: KindName, words: (name: string) => string]> = {
  Parameter: ['header added', (name) => `takes the header \`${name}\` too`],
  Header: ['header added', (name) => `answers with the header \`${name}\` too`],
  MediaType: ['media type added', (name) => `has the media type \`${name}\` too`],
  Response: ['response added', (name) => `has a response \`${name}\` now`],
  SecurityRequirement: ['authentication added', () => 'can be called with other credentials too'],
  Server: ['server added', () => 'the service has one more address'],
}

/** Redocly's changes of what is not a schema, as callers meet them. */
export function reword(contracts: Contracts, change: RedoclyChange): Told[] {
  const told = change.verdicts.flatMap((verdict) => {
    const { ruleId, message } = verdict
    if (ofOperations.has(ruleId)) return []
    // A schema anywhere else than in bodies and headers has not been compared.
    if (ofSchemas.has(ruleId) && /\/(requestBody|responses|parameters)\//.test(change.path))
      return []
    const kind = ruleId === 'response-removed' ? ofResponse(change) : kindByRule[ruleId]
    return [{ kind: kind ?? 'rated by redocly', words: wordsOf(change, message) } as const]
  })
  const all = [...told, ...unrated(contracts, change)]
  return placesOf(contracts, change).flatMap((place) =>
    all.map((one) => ({ ...one, place, at: pointerOf(contracts, change) })),
  )
}

/** A refusal that is no longer described breaks nobody; a success does. */
const ofResponse = ({ path, base, property }: RedoclyChange): KindName => {
  const status = property === 'key' ? String(base?.value) : path.split('/').pop()!
  return status.startsWith('2') ? 'success status changed' : 'error response removed'
}

/** Redocly's sentence, to be read after the name of an operation. */
function wordsOf({ typeName, kind, base }: RedoclyChange, message: string): string {
  const isOpen = JSON.stringify(base?.value) === '{}'
  if (typeName === 'SecurityRequirement' && kind === 'removed' && isOpen)
    return 'can no longer be called without credentials in headers'
  const words = message.replace(/\.$/, '')
  return `: ${words[0]!.toLowerCase()}${words.slice(1)}`
}

/** What redocly lists without a verdict. */
function unrated(contracts: Contracts, change: RedoclyChange): Pick<Told, 'kind' | 'words'>[] {
  const { typeName, kind, path, verdicts, revision } = change
  if (isNoLongerPromised(change)) {
    const pointer = revision?.pointer.replace(/\/required$/, '') ?? ''
    const header = valueAt(contracts.after, pointer) as { name?: string } | undefined
    const name = header?.name ?? pointer.split('/').pop()
    return [{ kind: 'header optional', words: `may now lack the header \`${name}\`` }]
  }
  const known = kindByType[typeName]
  if (kind !== 'added' || verdicts.length > 0 || !known) return []
  const { name } = (revision?.value ?? {}) as { name?: string }
  return [{ kind: known[0], words: known[1](name ?? unescapeKey(path.split('/').pop()!)) }]
}

/** A header that clients receive was always there, and need not be any more. */
const isNoLongerPromised = ({ typeName, kind, path, property, revision }: RedoclyChange): boolean =>
  kind === 'modified' &&
  property === 'required' &&
  revision?.value !== true &&
  (typeName === 'Header' || (typeName === 'Parameter' && path.startsWith('#/webhooks/')))

function valueAt(contract: Contract, pointer: string): unknown {
  const keys = pointer.split('/').slice(1)
  return keys.reduce<unknown>((node, key) => {
    return (node as Record<string, unknown> | undefined)?.[unescapeKey(key)]
  }, contract)
}

/** Whom a change reaches: one of a component everyone who leads to it. */
function placesOf({ before, after }: Contracts, change: RedoclyChange): Place[] {
  const contract = change.kind === 'removed' ? before : after
  const pointer = (change.revision ?? change.base)?.pointer ?? ''
  const [, own] = change.path.match(/^#\/(?:paths|webhooks)\/([^/]+)/) ?? []
  const isShared = pointer.startsWith('#/components/')
  const keys = isShared ? usersOf(contract, pointer) : own ? [unescapeKey(own)] : ['']
  return keys.map((key) => ({ name: nameOf(contract, key), side: '', field: '' }))
}

const nameOf = ({ paths, webhooks }: Contract, key: string): string =>
  paths[key]?.post?.operationId ?? (webhooks?.[key] ? key : '')

/** The place in the bundle; what redocly is shown differs from it in the root. */
function pointerOf(
  { before, after }: Contracts,
  { base, revision, path, kind }: RedoclyChange,
): string {
  const pointer = (revision ?? base)?.pointer.slice(1) ?? ''
  if (/\/servers\//.test(pointer)) return '/servers'
  if (!/\/security(\/|$)/.test(pointer)) return pointer
  const key = unescapeKey(path.split('/')[2]!)
  const { paths } = kind === 'removed' ? before : after
  return paths[key]?.post.security ? pointer : '/security'
}
