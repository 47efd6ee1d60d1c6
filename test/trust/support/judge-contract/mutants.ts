import {
  type Contract,
  eachOperation,
  eachWebhook,
  reach,
  readBundle,
  type Schema,
  versions,
} from '../../../../scripts/contract/contract.ts'
import type { Edit, Node } from './edit.ts'
import {
  errorEdits,
  nameEdits,
  ofSecurity,
  operationEdits,
  responseEdits,
} from './operation-edits.ts'
import { schemaEdits } from './schema-edits.ts'

type Path = (string | number)[]

/** One change at one place of the contract, as a change of its source would reach the bundles. */
export interface Mutant extends Edit {
  /** The newest version that has the place like this. */
  version: string
  path: Path
  /** All versions that it reaches. */
  versions: string[]
}

interface Site {
  path: Path
  edits: Edit[]
}

const bundles = new Map(versions.map((version) => [version, readBundle(version)]))

export const bundleOf = (version: string): Contract => bundles.get(version) as Contract

const at = (node: unknown, path: Path): unknown =>
  path.reduce<unknown>((part, key) => (part as Node | undefined)?.[key], node)

const single = [
  'items',
  'not',
  'if',
  'then',
  'else',
  'additionalProperties',
  'propertyNames',
  'contains',
]
const inside = ['not', 'if', 'then', 'else']

function* schemaSites(schema: Schema, path: Path, inRule = false): Generator<Site> {
  yield { path, edits: schemaEdits(schema, inRule) }
  for (const [name, part] of Object.entries(schema.properties ?? {})) {
    yield* schemaSites(part, [...path, 'properties', name], inRule)
  }
  for (const keyword of single) {
    const part = schema[keyword]
    if (typeof part !== 'object' || part === null) continue
    yield* schemaSites(part as Schema, [...path, keyword], inRule || inside.includes(keyword))
  }
  for (const keyword of ['allOf', 'anyOf', 'oneOf'] as const) {
    for (const [index, part] of (schema[keyword] ?? []).entries()) {
      const isPart = inRule || (part.type === undefined && !part.$ref && !part.enum)
      yield* schemaSites(part, [...path, keyword, index], isPart)
    }
  }
}

function* operationSites(operation: object, path: Path): Generator<Site> {
  yield { path, edits: operationEdits(operation as Node) }
  const { responses } = operation as { responses: Record<string, Node> }
  for (const [status, response] of Object.entries(responses)) {
    if (response['$ref']) continue
    yield { path: [...path, 'responses', status], edits: responseEdits(response, status !== '200') }
  }
}

/** Every place of a contract that something can be broken at. */
function* sitesOf(contract: Contract): Generator<Site> {
  const { components } = contract
  yield { path: [], edits: ofSecurity(contract as unknown as Node) }
  for (const path of Object.keys(contract.paths)) {
    const { post } = contract.paths[path]!
    yield { path: ['paths'], edits: [dropped('operation dropped', path)] }
    yield* operationSites(post, ['paths', path, 'post'])
  }
  for (const name of Object.keys(contract.webhooks ?? {})) {
    yield { path: ['webhooks'], edits: [dropped('webhook dropped', name)] }
  }
  for (const [name, schema] of Object.entries(components.schemas)) {
    yield* schemaSites(schema, ['components', 'schemas', name])
  }
  for (const [name, response] of Object.entries(components.responses)) {
    const edits = responseEdits(response as unknown as Node, true)
    yield { path: ['components', 'responses', name], edits }
  }
  for (const [name, entry] of Object.entries(components.examples)) {
    yield { path: ['components', 'examples', name], edits: errorEdits(entry as unknown as Node) }
  }
  for (const kind of ['parameters', 'securitySchemes', 'headers']) {
    for (const [name, owner] of Object.entries(components[kind] ?? {})) {
      const path = ['components', kind, name]
      yield { path, edits: nameEdits(owner as Node) }
      const { schema } = owner as { schema?: Schema }
      if (schema) yield* schemaSites(schema, [...path, 'schema'])
    }
  }
}

const dropped = (kind: string, name: string): Edit => ({
  kind,
  about: name,
  apply: (node) => void delete node[name],
})

/** The same place of a version's bundle: what a change of it would meet. */
const textAt = (version: string, path: Path): string =>
  JSON.stringify(at(bundles.get(version), path)) ?? ''

/** The versions that a change of this version's place reaches; none if a newer one has it already. */
function reachOf(version: string, path: Path): string[] {
  const text = textAt(version, path)
  const index = versions.indexOf(version)
  const newer = versions[index + 1]
  if (newer !== undefined && textAt(newer, path) === text) return []
  const older = versions.slice(0, index).toReversed()
  const end = older.findIndex((other) => textAt(other, path) !== text)
  return [version, ...(end < 0 ? older : older.slice(0, end))]
}

const listReach = (version: string) => (version === versions.at(-1) ? versions.toReversed() : [])

/** Every mutant of the contract: newest version first, each place once. */
export function allMutants(): Mutant[] {
  return versions.toReversed().flatMap((version) =>
    [...sitesOf(bundleOf(version))].flatMap(({ path, edits }) => {
      // All versions have the same operations and webhooks, whatever these hold.
      const reached = path.length === 1 ? listReach(version) : reachOf(version, path)
      if (reached.length === 0) return []
      return edits.map((edit) => ({ ...edit, version, path, versions: reached }))
    }),
  )
}

/** A version's bundle with the change. */
export function mutate(mutant: Mutant, version: string): Contract {
  const whole = bundleOf(version)
  const copy = { ...whole } as unknown as Node
  let node = copy
  // Copies what lies on the way, and all below the place; the rest is shared.
  for (const key of mutant.path.slice(0, -1)) {
    node[key] = Array.isArray(node[key])
      ? [...(node[key] as unknown[])]
      : { ...(node[key] as Node) }
    node = node[key] as Node
  }
  const last = mutant.path.at(-1)
  if (last === undefined) node['security'] = structuredClone(node['security'])
  else if (mutant.path.length === 1) node[last] = { ...(node[last] as Node) }
  else node[last] = structuredClone(node[last])
  mutant.apply(last === undefined ? node : (node[last] as Node))
  return copy as unknown as Contract
}

/** Where it is, in words. */
export const nameOf = ({ version, kind, about, path }: Mutant): string =>
  `${version} ${path.join('/').replace('components/schemas/', '')}: ${kind} (${about})`

const operationsOf = new Map<string, { ids: Set<string>; webhooks: Set<string> }>()

/** The operations and webhooks of which some body reaches a component. */
export function usersOf(
  schema: string,
  version: string,
): { ids: Set<string>; webhooks: Set<string> } {
  const known = operationsOf.get(`${version} ${schema}`)
  if (known) return known
  const contract = bundleOf(version)
  const leads = (node: unknown): boolean => {
    const names = [...JSON.stringify(node).matchAll(/#\/components\/schemas\/([^"/]+)/g)]
    const responses = [...JSON.stringify(node).matchAll(/#\/components\/responses\/([^"/]+)/g)]
    const through = responses.map(([, name]) => contract.components.responses[name!])
    const more = through.flatMap((response) => [
      ...JSON.stringify(response).matchAll(/#\/components\/schemas\/([^"/]+)/g),
    ])
    const all = [...names, ...more].map(([, name]) => name!)
    return reach(contract, [...new Set(all)]).has(schema)
  }
  const ids = eachOperation(contract)
    .filter(({ operation: { requestBody, responses } }) => leads({ requestBody, responses }))
    .map(({ operation }) => operation.operationId)
  const webhooks = eachWebhook(contract)
    .filter(({ webhook }) => leads(webhook.requestBody))
    .map(({ name }) => name)
  const users = { ids: new Set(ids), webhooks: new Set(webhooks) }
  operationsOf.set(`${version} ${schema}`, users)
  return users
}

const reached = new Map<string, Set<string>>()

/** Whether a schema is, or leads to, a component. */
export function leadsTo(schema: Schema, component: string, version: string): boolean {
  const name = schema.$ref?.split('/').pop()
  if (name === undefined) return true
  const key = `${version} ${name}`
  const known = reached.get(key) ?? reach(bundleOf(version), [name])
  reached.set(key, known)
  return known.has(component)
}
