import { type Contract, type OperationObject, resolve } from '../contract/contract.ts'
import type { Contracts, Told } from './finding.ts'
import type { KindName } from './kinds.ts'
import { canonical } from './meaning.ts'
import type { OperationPair } from './operations.ts'
import { codes } from './words.ts'

/** Compares what an operation promises besides its bodies: errors, limits, repetition, pages. */
export function comparePromises(contracts: Contracts, pairs: OperationPair[]): Told[] {
  return pairs.flatMap((pair) => {
    const { before, after, name } = pair
    const tell = (kind: KindName, words: string, keyword: string): Told => {
      return { kind, words, at: `${after.at}/${keyword}`, place: { name, side: '', field: '' } }
    }
    const [old, now] = [before.operation, after.operation]
    return [
      ...errors(contracts, old, now, tell),
      ...repetition(old, now, tell),
      ...limits(old, now, tell),
      ...bodyLimits(old, now, tell),
      ...pages(old, now, tell),
      ...tokens(old, now, tell),
      ...(now.deprecated && !old.deprecated
        ? [tell('deprecated', 'is deprecated', 'deprecated')]
        : []),
    ]
  })
}

type Tell = (kind: KindName, words: string, keyword: string) => Told

function errors(
  { before, after }: Contracts,
  old: OperationObject,
  now: OperationObject,
  tell: Tell,
): Told[] {
  const [theirs, ours] = [statusesByError(before, old), statusesByError(after, now)]
  const added = [...ours].filter(([key]) => !theirs.has(key))
  return [
    ...added.map(([key, status]) => {
      return tell('error added', `may now fail with \`${key}\` (${status})`, `responses/${status}`)
    }),
    ...[...theirs].flatMap(([key, status]) => {
      const other = ours.get(key)
      if (!other) return [tell('error removed', `no longer fails with \`${key}\``, 'responses')]
      const words = `fails with \`${key}\` under status ${other} now, under ${status} before`
      return other === status ? [] : [tell('error status changed', words, `responses/${other}`)]
    }),
  ]
}

/** The keys of the errors that an operation lists, each with its statuses. */
function statusesByError(contract: Contract, { responses }: OperationObject): Map<string, string> {
  const found = new Map<string, string>()
  for (const [status, response] of Object.entries(responses)) {
    if (status.startsWith('2')) continue
    const { content } = resolve(contract, response)
    for (const key of Object.keys(content?.['application/json']?.examples ?? {})) {
      found.set(key, found.has(key) ? `${found.get(key)}, ${status}` : status)
    }
  }
  return found
}

function repetition(old: OperationObject, now: OperationObject, tell: Tell): Told[] {
  const keyword = 'x-retry-safe'
  if (old[keyword] === now[keyword]) return []
  return now[keyword]
    ? [tell('safe to repeat', 'is safe to repeat now', keyword)]
    : [tell('no longer safe to repeat', 'is no longer safe to repeat', keyword)]
}

type Limits = Record<string, Record<string, number>>

function limits(old: OperationObject, now: OperationObject, tell: Tell): Told[] {
  const keyword = 'x-rate-limits'
  const [theirs, ours] = [old, now].map((one) => flatLimits((one[keyword] ?? {}) as Limits)) as [
    Map<string, number>,
    Map<string, number>,
  ]
  return [...new Set([...theirs.keys(), ...ours.keys()])].flatMap((name) => {
    const [was, is] = [theirs.get(name), ours.get(name)]
    if (was === is) return []
    const words = `takes ${is ?? 'any number of'} requests a minute ${name} now, took ${was ?? 'any number'}`
    const isLower = (is ?? Infinity) < (was ?? Infinity)
    return [tell(isLower ? 'rate limit lowered' : 'rate limit raised', words, keyword)]
  })
}

/** `per item in the sandbox` */
const flatLimits = (limits: Limits): Map<string, number> =>
  new Map(
    Object.entries(limits).flatMap(([environment, own]) =>
      Object.entries(own).map(([scope, limit]) => {
        return [`${scope.replaceAll('_', ' ')} in ${environment}`, limit] as const
      }),
    ),
  )

/** A contract from before these limits were stated says nothing of them. */
function bodyLimits(old: OperationObject, now: OperationObject, tell: Tell): Told[] {
  const keyword = 'x-maximum-body'
  const [was, is] = [Number(old[keyword]), Number(now[keyword])]
  if (!(is < was || is > was)) return []
  const words = `takes bodies of at most ${is} bytes now, took ${was}`
  return [tell(is < was ? 'body limit lowered' : 'body limit raised', words, keyword)]
}

function pages(old: OperationObject, now: OperationObject, tell: Tell): Told[] {
  const keyword = 'x-pagination'
  if (canonical(old[keyword] ?? null) === canonical(now[keyword] ?? null)) return []
  const words = !old[keyword]
    ? 'comes in pages now'
    : !now[keyword]
      ? 'has no pages any more'
      : 'turns its pages otherwise'
  return [tell('pagination changed', words, keyword)]
}

function tokens(old: OperationObject, now: OperationObject, tell: Tell): Told[] {
  const keyword = 'x-bearer-replaces'
  const fieldsOf = (one: OperationObject) => [one[keyword] ?? []].flat() as string[]
  const gone = fieldsOf(old).filter((name) => !fieldsOf(now).includes(name))
  const added = fieldsOf(now).filter((name) => !fieldsOf(old).includes(name))
  const less = `takes no bearer token in place of ${codes(gone)} any more`
  const more = `takes a bearer token in place of ${codes(added)} now`
  return [
    ...(gone.length > 0 ? [tell('bearer token not enough', less, keyword)] : []),
    ...(added.length > 0 ? [tell('bearer token enough', more, keyword)] : []),
  ]
}
