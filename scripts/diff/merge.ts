import type { Contract } from '../contract/contract.ts'
import type { Contracts } from './finding.ts'
import { meaningOf } from './meaning.ts'
import type { Excerpt } from './users.ts'

type Names = Record<string, unknown>

interface Merged {
  openapi: string
  info: { title: string; version: string }
  paths: Names
  webhooks: Names
  components: Record<string, Names>
}

/** An excerpt of two contracts, by a name of its own. */
export interface Part {
  name: string
  contracts: Contracts
  excerpt: Excerpt
}

/** Joins one side of all parts; the schemas stay empty. */
export function mergeAll(parts: Part[], side: keyof Contracts): Merged {
  const merged: Merged = {
    openapi: '3.1.0',
    info: { title: side, version: '1.0.0' },
    paths: {},
    webhooks: {},
    components: { schemas: {} },
  }
  for (const { name, contracts, excerpt } of parts) merge(merged, name, contracts[side], excerpt)
  return merged
}

function merge(merged: Merged, name: string, contract: Contract, excerpt: Excerpt): void {
  const own = prefixed(contract, name, excerpt)
  for (const [path, { post }] of Object.entries(own.paths)) {
    const security = (post.security ?? own.security ?? []).map((requirement) =>
      Object.fromEntries(
        Object.entries(requirement).map(([key, scopes]) => [`${name}.${key}`, scopes]),
      ),
    )
    merged.paths[`/${name}${path}`] = { post: { ...post, security } }
  }
  // The servers are the document's; a path of their own keeps them apart.
  merged.paths[`/${name}`] = { servers: own.servers ?? [] }
  for (const [key, { post }] of Object.entries(own.webhooks ?? {})) {
    merged.webhooks[`${name}/${key}`] = { post: { ...post, security: [] } }
  }
  for (const [kind, components] of Object.entries(own.components)) {
    const renamed = Object.entries(components).map(([key, one]) => [`${name}.${key}`, one])
    merged.components[kind] = { ...merged.components[kind], ...Object.fromEntries(renamed) }
  }
}

/** What the excerpt keeps of a contract, with the part's name before those of components. */
function prefixed(contract: Contract, name: string, { keys, components }: Excerpt): Contract {
  const pick = <T>(all: Record<string, T> | undefined, isKept: (key: string) => boolean) =>
    Object.fromEntries(Object.entries(all ?? {}).filter(([key]) => isKept(key)))
  const kept = {
    ...contract,
    paths: pick(contract.paths, (key) => keys.has(key)),
    webhooks: pick(contract.webhooks, (key) => keys.has(key)),
    components: Object.fromEntries(
      Object.entries(contract.components)
        .filter(([kind]) => kind !== 'examples' && kind !== 'schemas')
        .map(([kind, all]) => [kind, pick(all, (key) => components.has(`${kind}/${key}`))]),
    ),
  }
  const text = JSON.stringify(meaningOf(kept))
    // Redocly rates a schema once for both directions, which is not enough here.
    .replaceAll(/\{"\$ref":"#\/components\/schemas\/[^"]+"\}/g, '{}')
    .replaceAll(/"#\/components\/(\w+)\//g, `"#/components/$1/${name}.`)
  return JSON.parse(text)
}
