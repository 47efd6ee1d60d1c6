import type { Contract } from '../contract/contract.ts'
import type { Contracts } from './finding.ts'
import { canonical, meaningOf } from './meaning.ts'

/** What refers to components: every path and webhook with its operation. */
function entriesOf(contract: Contract): [string, unknown][] {
  const all = [...Object.entries(contract.paths), ...Object.entries(contract.webhooks ?? {})]
  // What stands at the root is meant by every operation that does not say otherwise.
  return all.map(([key, { post }]) => [key, { security: contract.security, ...post }])
}

const componentsIn = (value: unknown): string[] => {
  const text = JSON.stringify(value) ?? ''
  const names = [...text.matchAll(/"#\/components\/([^"]+)"/g)].map(([, name]) => name!)
  // Schemas are compared by ourselves, and examples not at all.
  return names.filter((name) => !/^(schemas|examples)\//.test(name))
}

/** The components that a part of the contract leads to, as `responses/RateLimited`. */
function componentsBelow(contract: Contract, value: unknown): Set<string> {
  const found = new Set<string>()
  const visit = (part: unknown): void => {
    for (const name of componentsIn(part)) {
      if (found.has(name)) continue
      found.add(name)
      visit(componentAt(contract, name))
    }
  }
  visit(value)
  const requirements = (value as { security?: Record<string, unknown>[] }).security ?? []
  for (const scheme of requirements.flatMap(Object.keys)) found.add(`securitySchemes/${scheme}`)
  return found
}

function componentAt({ components }: Contract, place: string): unknown {
  const [kind, name] = place.split('/') as [string, string]
  return components[kind]?.[name]
}

/** The part of two contracts that redocly has to see. */
export interface Excerpt {
  /** Paths, and names of webhooks. */
  keys: Set<string>
  /** The components that these lead to, such as `responses/RateLimited`. */
  components: Set<string>
  hasOtherServers: boolean
}

/**
 * Keeps what changed itself and, for each component that changed, one operation that leads to it,
 * since redocly tells of a component once.
 */
export function excerptOf({ before, after }: Contracts): Excerpt {
  const hasOtherServers = meaningText(before.servers) !== meaningText(after.servers)
  const excerpt: Excerpt = { keys: new Set(), components: new Set(), hasOtherServers }
  const [theirs, ours] = [new Map(entriesOf(before)), new Map(entriesOf(after))]
  for (const key of new Set([...theirs.keys(), ...ours.keys()])) {
    const [old, now] = [theirs.get(key) ?? {}, ours.get(key) ?? {}]
    const below = [...componentsBelow(before, old), ...componentsBelow(after, now)]
    const isNew = below.some(
      (name) => !excerpt.components.has(name) && hasChanged({ before, after }, name),
    )
    if (!isNew && meaningText(old) === meaningText(now)) continue
    excerpt.keys.add(key)
    for (const name of below) excerpt.components.add(name)
  }
  return excerpt
}

const meaningText = (value: unknown): string => canonical(meaningOf(value ?? null))

const hasChanged = ({ before, after }: Contracts, place: string): boolean =>
  meaningText(componentAt(before, place)) !== meaningText(componentAt(after, place))

/** The paths and webhooks that lead to the component at a JSON Pointer. */
export function usersOf(contract: Contract, pointer: string): string[] {
  const [, , kind, name] = pointer.split('/')
  return entriesOf(contract)
    .filter(([, value]) => componentsBelow(contract, value).has(`${kind}/${name}`))
    .map(([key]) => key)
}
