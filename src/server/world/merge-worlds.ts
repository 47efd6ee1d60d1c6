import type { Problem } from './world-error.ts'
import type { WorldNode } from './world-node.ts'

/** What names the elements of each list. */
export const idFields: Readonly<Record<string, string>> = {
  institutions: 'institution_id',
  identity_verification_templates: 'template_id',
  clients: 'client_id',
  users: 'client_user_id',
  items: 'access_token',
  accounts: 'account_id',
  transactions: 'transaction_id',
  dashboard_users: 'id',
  identity_verifications: 'identity_verification_id',
  wallets: 'wallet_id',
  transfers: 'transfer_id',
  refunds: 'refund_id',
  bank_transfers: 'bank_transfer_id',
}

/**
 * Lays one file over another: elements of lists by their id, objects field by field, all else
 * whole. What was changed stands where the upper file says it.
 */
export function mergeWorlds(base: WorldNode, over: WorldNode, problems: Problem[]): WorldNode {
  return mergeNodes(base, over, '', problems)
}

function mergeNodes(
  base: WorldNode | undefined,
  over: WorldNode,
  name: string,
  problems: Problem[],
): WorldNode {
  if (over.kind === 'list') {
    const idField = idFields[name]
    if (idField === undefined) return over
    const elements = base?.kind === 'list' ? base.elements : []
    return { ...over, elements: mergeElements(elements, over.elements, idField, problems) }
  }
  if (over.kind === 'scalar') return over
  const entries = new Map(base?.kind === 'map' ? base.entries : [])
  for (const [key, node] of over.entries) {
    entries.set(key, mergeNodes(entries.get(key), node, key, problems))
  }
  return { ...over, entries }
}

function mergeElements(
  base: readonly WorldNode[],
  over: readonly WorldNode[],
  idField: string,
  problems: Problem[],
): WorldNode[] {
  const merged = [...base]
  const places = new Map(base.map((node, index) => [idOf(node, idField), index]))
  const seen = new Set<unknown>()
  for (const node of over) {
    const id = idOf(node, idField)
    const known = id === undefined ? undefined : places.get(id)
    const complain = (message: string) =>
      void problems.push({ place: node.place, path: `${node.place.path}.${idField}`, message })
    if (id !== undefined && seen.has(id)) complain('stands twice in the list')
    else if (known === undefined && isRemoved(node)) complain('names nothing that could be removed')
    seen.add(id)
    const next = mergeNodes(known === undefined ? undefined : merged[known], node, '', problems)
    if (known === undefined) merged.push(next)
    else merged[known] = next
  }
  return merged
}

const scalarOf = (node: WorldNode, field: string): unknown => {
  const entry = node.kind === 'map' ? node.entries.get(field) : undefined
  return entry?.kind === 'scalar' ? entry.value : undefined
}

const idOf = (node: WorldNode, field: string): unknown => scalarOf(node, field)

const isRemoved = (node: WorldNode): boolean => scalarOf(node, 'remove') === true

/** The world without what is to be left out. */
export function withoutRemoved(node: WorldNode): WorldNode {
  if (node.kind === 'scalar') return node
  if (node.kind === 'list') {
    const kept = node.elements.filter((element) => !isRemoved(element))
    return { ...node, elements: kept.map(withoutRemoved) }
  }
  const entries = [...node.entries].map(([key, entry]): [string, WorldNode] => {
    return [key, withoutRemoved(entry)]
  })
  return { ...node, entries: new Map(entries) }
}
