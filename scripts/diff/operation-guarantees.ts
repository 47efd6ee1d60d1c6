import { type Contract, type OperationObject, resolve } from '../contract/contract.ts'
import { split } from '../contract/split.ts'
import { type Contracts, type RawFinding, wholeFinding } from './finding.ts'
import { canonical, changedKeys } from './meaning.ts'
import type { OperationPair } from './operations.ts'
import type { KindName } from './verdicts.ts'
import { codes } from './words.ts'

/** Two readings of one operation or webhook. */
interface Both extends Contracts {
  old: OperationObject
  now: OperationObject
  isWebhook: boolean
  /** Where the new one is written. */
  path: string
}

/** A change, and where it is written: a pointer from the root, or from the operation. */
type Change = [kind: KindName, words: string, at: string]

/** Compares what an operation promises besides its bodies and headers. */
export function comparePromises(contracts: Contracts, pairs: OperationPair[]): RawFinding[] {
  const rules = [errors, responses, retries, limits, bodyLimits, pages, tokens, security, others]
  return pairs.flatMap(({ before, after, name, isWebhook }) => {
    const own = { old: before.operation, now: after.operation, isWebhook, path: after.at }
    return rules
      .flatMap((rule) => rule({ ...contracts, ...own }))
      .map(([kind, words, at]) =>
        wholeFinding(kind, name, words, at.startsWith('/') ? at : `${after.at}/${at}`),
      )
  })
}

/** Compares where the service is. */
export function compareServers({ before, after }: Contracts): RawFinding[] {
  const urls = (contract: Contract) => (contract.servers ?? []).map(({ url }) => url)
  const { gone, added } = split(urls(before), urls(after))
  const removed = (url: string) => `: server \`${url}\` was removed`
  return [
    ...gone.map((url) => wholeFinding('server removed', '', removed(url), '/servers')),
    ...added.map(() =>
      wholeFinding('server added', '', 'the service has one more address', '/servers'),
    ),
  ]
}

function errors({ before, after, old, now }: Both): Change[] {
  const [theirs, ours] = [statusesByError(before, old), statusesByError(after, now)]
  const { gone, added, kept } = split(theirs.keys(), ours.keys())
  return [
    ...added.map((key): Change => {
      const words = `may now fail with \`${key}\` (${ours.get(key)})`
      return ['error added', words, `responses/${ours.get(key)}`]
    }),
    ...gone.map((key): Change => ['error removed', `no longer fails with \`${key}\``, 'responses']),
    ...kept.flatMap((key): Change[] => {
      const [was, is] = [theirs.get(key), ours.get(key)]
      const words = `fails with \`${key}\` under status ${is} now, under ${was} before`
      return was === is ? [] : [['error status changed', words, `responses/${is}`]]
    }),
  ]
}

/** The keys of the errors that an operation lists, each with its statuses. */
function statusesByError(contract: Contract, { responses: all }: OperationObject) {
  const found = new Map<string, string>()
  for (const [status, response] of Object.entries(all)) {
    if (status.startsWith('2')) continue
    const { content } = resolve(contract, response)
    for (const key of Object.keys(content?.['application/json']?.examples ?? {})) {
      found.set(key, found.has(key) ? `${found.get(key)}, ${status}` : status)
    }
  }
  return found
}

/** An error that is no longer described breaks nobody; a success does. */
function responses({ old, now }: Both): Change[] {
  const { gone, added } = split(Object.keys(old.responses), Object.keys(now.responses))
  const isSuccess = (status: string) => status.startsWith('2')
  const other = gone.some(isSuccess) ? added.find(isSuccess) : undefined
  return [
    ...gone.map((status): Change => {
      const at = `responses/${status}`
      if (!isSuccess(status)) {
        return ['error response removed', `: response \`${status}\` was removed`, at]
      }
      const words = other ? `became \`${other}\`` : 'was removed'
      const place = `responses/${other ?? status}`
      return ['success status changed', `: response \`${status}\` ${words}`, place]
    }),
    ...added
      .filter((status) => status !== other)
      .map((status): Change => {
        return ['response added', `has a response \`${status}\` now`, `responses/${status}`]
      }),
  ]
}

function retries({ old, now }: Both): Change[] {
  const keyword = 'x-retry-safe'
  if (old[keyword] === now[keyword]) return []
  if (now[keyword]) return [['safe to repeat', 'is safe to repeat now', keyword]]
  return [['no longer safe to repeat', 'is no longer safe to repeat', keyword]]
}

function limits({ old, now }: Both): Change[] {
  const keyword = 'x-rate-limits'
  const [theirs, ours] = [flatLimits(old[keyword]), flatLimits(now[keyword])]
  return [...new Set([...theirs.keys(), ...ours.keys()])].flatMap((name): Change[] => {
    const [was, is] = [theirs.get(name), ours.get(name)]
    if (was === is) return []
    const words = `takes ${is ?? 'any number of'} requests a minute ${name} now, took ${was ?? 'any number'}`
    const isLower = (is ?? Infinity) < (was ?? Infinity)
    return [[isLower ? 'rate limit lowered' : 'rate limit raised', words, keyword]]
  })
}

/** `per item in the sandbox` */
const flatLimits = (all: unknown): Map<string, number> =>
  new Map(
    Object.entries((all ?? {}) as Record<string, Record<string, number>>).flatMap(
      ([environment, own]) =>
        Object.entries(own).map(([scope, limit]) => {
          return [`${scope.replaceAll('_', ' ')} in ${environment}`, limit] as const
        }),
    ),
  )

/** A contract from before these limits were stated says nothing of them. */
function bodyLimits({ old, now }: Both): Change[] {
  const keyword = 'x-maximum-body'
  const [was, is] = [Number(old[keyword]), Number(now[keyword])]
  if (!(is < was || is > was)) return []
  const words = `takes bodies of at most ${is} bytes now, took ${was}`
  return [[is < was ? 'body limit lowered' : 'body limit raised', words, keyword]]
}

function pages({ old, now }: Both): Change[] {
  const keyword = 'x-pagination'
  if (canonical(old[keyword] ?? null) === canonical(now[keyword] ?? null)) return []
  const kept = now[keyword] ? 'turns its pages otherwise' : 'has no pages any more'
  return [['pagination changed', old[keyword] ? kept : 'comes in pages now', keyword]]
}

function tokens({ old, now }: Both): Change[] {
  const keyword = 'x-bearer-replaces'
  const fieldsOf = (one: OperationObject) => [one[keyword] ?? []].flat() as string[]
  const { gone, added } = split(fieldsOf(old), fieldsOf(now))
  const less = `takes no bearer token in place of ${codes(gone)} any more`
  const more = `takes a bearer token in place of ${codes(added)} now`
  const found: Change[] = [
    ['bearer token not enough', less, keyword],
    ['bearer token enough', more, keyword],
  ]
  return found.filter((_, index) => [gone, added][index]!.length > 0)
}

/** The credentials that an operation takes, and how they are sent. */
function security({ before, after, old, now, isWebhook }: Both): Change[] {
  if (isWebhook) return []
  const [theirs, ours] = [old.security ?? before.security, now.security ?? after.security]
  const { gone, added } = split(theirs.map(canonical), ours.map(canonical))
  // An empty list asks for no credentials at all.
  const lost = ours.length > 0 ? gone : []
  const at = now.security ? 'security' : '/security'
  const names = new Set([...theirs, ...ours].flatMap((requirement) => Object.keys(requirement)))
  return [
    ...lost.map((requirement): Change => {
      const words = `: credentials ${codes(Object.keys(JSON.parse(requirement)))} are no longer enough`
      const isOpen = requirement === '{}'
      const ofBody = 'can no longer be called without credentials in headers'
      return ['authentication changed', isOpen ? ofBody : words, at]
    }),
    ...added.map((): Change => {
      return ['authentication added', 'can be called with other credentials too', at]
    }),
    ...[...names].flatMap((name): Change[] => {
      const [was, is] = [before, after].map(({ components }) => components.securitySchemes[name])
      const place = `/components/securitySchemes/${name}`
      return changedKeys(was, is).map((key) => {
        const [from, to] = [was?.[key], is?.[key]].map((value) => `'${value}'`)
        const words = `: \`${key}\` of security scheme \`${name}\` changed from ${from} to ${to}`
        return ['authentication changed', words, `${place}/${key}`]
      })
    }),
  ]
}

/** Compared elsewhere, or the same for every program. */
const known = new Set(['operationId', 'parameters', 'requestBody', 'responses', 'security'])

/** What has no rule of its own. */
function others({ old, now }: Both): Change[] {
  const found: Change[] = changedKeys(old, now)
    .filter((key) => !known.has(key) && key !== 'deprecated')
    .map((key) => ['other change', `: \`${key}\` changed`, key])
  if (now.deprecated && !old.deprecated) found.push(['deprecated', 'is deprecated', 'deprecated'])
  if (now.requestBody?.required && old.requestBody && !old.requestBody.required) {
    found.push(['request body required', ': request body became required', 'requestBody/required'])
  }
  return found
}
