import type { Contract, OperationObject } from '../contract/contract.ts'
import { type Change, type Contracts, wholeChange } from './finding.ts'
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
export function pairOperations(contracts: Contracts): {
  pairs: OperationPair[]
  found: Change[]
} {
  const [theirs, ours] = [operationsOf(contracts.before), operationsOf(contracts.after)]
  const pairs = ours.flatMap((after) => {
    const before =
      theirs.find(({ name }) => name === after.name) ??
      theirs.find(({ path, name }) => path === after.path && !ours.some((one) => one.name === name))
    return before ? [{ name: after.name, isWebhook: after.path === '', before, after }] : []
  })
  const found = [
    ...theirs.filter((one) => !pairs.some(({ before }) => before === one)).map(gone),
    ...ours.filter((one) => !pairs.some(({ after }) => after === one)).map(added),
    ...pairs.flatMap(moved),
  ]
  return { pairs, found }
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

const gone = ({ name, path, at }: Entry): Change =>
  path
    ? wholeChange('operation removed', name, 'is gone', at)
    : wholeChange('webhook removed', name, 'is no longer sent', at)

const added = ({ name, path, at }: Entry): Change =>
  path
    ? wholeChange('operation added', name, 'is new', at)
    : wholeChange('webhook added', name, 'is a new webhook', at)

function moved({ before, after: { name, path, at } }: OperationPair): Change[] {
  const paths = `is at \`${path}\` now, was at \`${before.path}\``
  return [
    ...(before.name === name
      ? []
      : [wholeChange('operation renamed', name, `was called \`${before.name}\``, at)]),
    ...(before.path === path ? [] : [wholeChange('path changed', name, paths, at)]),
  ]
}
