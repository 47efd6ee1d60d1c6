import type { Contract, OperationObject } from '../contract/contract.ts'
import type { Contracts, Told } from './finding.ts'
import type { KindName } from './kinds.ts'
import { escapeKey } from './node.ts'

interface Entry {
  /** The operationId, or the webhook's name. */
  name: string
  path: string
  operation: OperationObject
  at: string
}

/** An operation or a webhook that is there before and after. */
export interface OperationPair {
  name: string
  isWebhook: boolean
  before: Entry
  after: Entry
}

/** Pairs operations by operationId, then by path, and webhooks by name. */
export function pairOperations(contracts: Contracts): { pairs: OperationPair[]; told: Told[] } {
  const [theirs, ours] = [operationsOf(contracts.before), operationsOf(contracts.after)]
  const pairs = ours.flatMap((after) => {
    const before =
      theirs.find(({ name }) => name === after.name) ??
      theirs.find(({ path, name }) => path === after.path && !ours.some((one) => one.name === name))
    return before ? [{ name: after.name, isWebhook: after.path === '', before, after }] : []
  })
  const told = [
    ...theirs.filter((one) => !pairs.some(({ before }) => before === one)).map(gone),
    ...ours.filter((one) => !pairs.some(({ after }) => after === one)).map(added),
    ...pairs.flatMap(moved),
  ]
  return { pairs, told }
}

function operationsOf({ paths, webhooks = {} }: Contract): Entry[] {
  const entries = Object.entries(paths).map(([path, { post }]) => {
    return { name: post.operationId, path, operation: post, at: `/paths/${escapeKey(path)}/post` }
  })
  const sent = Object.entries(webhooks).map(([name, { post }]) => {
    const at = `/webhooks/${escapeKey(name)}/post`
    return { name, path: '', operation: post as OperationObject, at }
  })
  return [...entries, ...sent]
}

const whole = (kind: KindName, { name, at }: Entry, words: string): Told => {
  return { kind, place: { name, side: '', field: '' }, words, at }
}

const gone = (entry: Entry): Told =>
  entry.path
    ? whole('operation removed', entry, 'is gone')
    : whole('webhook removed', entry, 'is no longer sent')

const added = (entry: Entry): Told =>
  entry.path
    ? whole('operation added', entry, 'is new')
    : whole('webhook added', entry, 'is a new webhook')

function moved({ before, after }: OperationPair): Told[] {
  return [
    ...(before.name === after.name
      ? []
      : [whole('operation renamed', after, `was called \`${before.name}\``)]),
    ...(before.path === after.path
      ? []
      : [whole('path changed', after, `is at \`${after.path}\` now, was at \`${before.path}\``)]),
  ]
}
