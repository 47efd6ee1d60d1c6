import type { Contract, OperationObject } from '../contract/contract.ts'
import { errorsOf } from '../contract/error-keys.ts'
import { split } from '../contract/split.ts'
import { codes } from '../contract/words.ts'
import { type Change, type Contracts, wholeChange } from './finding.ts'
import { canonical, changedKeys } from './meaning.ts'
import type { OperationPair } from './operations.ts'
import type { KindName } from './verdicts.ts'

/** Two readings of one operation or webhook. */
interface Both extends Contracts {
  old: OperationObject
  now: OperationObject
  isWebhook: boolean
}

/** What changed, and where it is written: a pointer from the root, or from the operation. */
type Found = [kind: KindName, words: string, at: string]

/** Compares what an operation promises besides its bodies and headers. */
export function comparePromises(contracts: Contracts, pairs: OperationPair[]): Change[] {
  const rules = [errors, responses, retries, limits, bodyLimits, pages, tokens, security, others]
  return pairs.flatMap(({ before, after, name, isWebhook }) => {
    const both = { ...contracts, old: before.operation, now: after.operation, isWebhook }
    return rules
      .flatMap((rule) => rule(both))
      .map(([kind, words, at]) =>
        wholeChange(kind, name, words, at.startsWith('/') ? at : `${after.at}/${at}`),
      )
  })
}

/** Compares where the service is. */
export function compareServers({ before, after }: Contracts): Change[] {
  const urls = ({ servers }: Contract) => (servers ?? []).map(({ url }) => url)
  const { gone, added } = split(urls(before), urls(after))
  const more = 'the service has one more address'
  return [
    ...gone.map((url) =>
      wholeChange('server removed', '', `: server \`${url}\` was removed`, '/servers'),
    ),
    ...added.map(() => wholeChange('server added', '', more, '/servers')),
  ]
}

function errors({ before, after, old, now }: Both): Found[] {
  const [theirs, ours] = [statusesByError(before, old), statusesByError(after, now)]
  const { gone, added, kept } = split(theirs.keys(), ours.keys())
  return [
    ...added.map((key): Found => {
      const words = `may now fail with \`${key}\` (${ours.get(key)})`
      return ['error added', words, placeOf(now, ours.get(key)!)]
    }),
    ...gone.map(
      (key): Found => [
        'error removed',
        `no longer fails with \`${key}\``,
        placeOf(old, theirs.get(key)!),
      ],
    ),
    ...kept.flatMap((key): Found[] => {
      const [was, is] = [theirs.get(key), ours.get(key)]
      const words = `fails with \`${key}\` under status ${is} now, under ${was} before`
      return was === is ? [] : [['error status changed', words, placeOf(now, is!)]]
    }),
  ]
}

/** Where the first of some responses is written: operations share most of those of errors. */
function placeOf({ responses }: OperationObject, statuses: string): string {
  const status = statuses.split(', ')[0]!
  return responses[status]?.$ref?.slice(1) ?? `responses/${status}`
}

/** The keys of the errors that an operation lists, each with its statuses. */
function statusesByError(contract: Contract, operation: OperationObject): Map<string, string> {
  const found = new Map<string, string>()
  for (const [status, keys] of errorsOf(contract, operation)) {
    for (const key of keys) found.set(key, found.has(key) ? `${found.get(key)}, ${status}` : status)
  }
  return found
}

const isSuccess = (status: string): boolean => status.startsWith('2')

/** An error that is no longer described breaks nobody; a success does. */
function responses({ old, now }: Both): Found[] {
  const { gone, added } = split(Object.keys(old.responses), Object.keys(now.responses))
  const other = gone.some(isSuccess) ? added.find(isSuccess) : undefined
  return [
    ...gone.map((status): Found => {
      const response = `: response \`${status}\``
      if (!isSuccess(status)) {
        return ['error response removed', `${response} was removed`, `responses/${status}`]
      }
      const words = `${response} ${other ? `became \`${other}\`` : 'was removed'}`
      return ['success status changed', words, `responses/${other ?? status}`]
    }),
    ...added
      .filter((status) => status !== other)
      .map((status): Found => {
        return ['response added', `has a response \`${status}\` now`, `responses/${status}`]
      }),
  ]
}

function retries({ old, now }: Both): Found[] {
  const keyword = 'x-retry-safe'
  if (old[keyword] === now[keyword]) return []
  if (now[keyword]) return [['safe to repeat', 'is safe to repeat now', keyword]]
  return [['no longer safe to repeat', 'is no longer safe to repeat', keyword]]
}

function limits({ old, now }: Both): Found[] {
  const keyword = 'x-rate-limits'
  const [theirs, ours] = [flatLimits(old[keyword]), flatLimits(now[keyword])]
  return Object.keys({ ...theirs, ...ours }).flatMap((name): Found[] => {
    const [was, is] = [theirs[name], ours[name]]
    if (was === is) return []
    const words = `takes ${is ?? 'any number of'} requests a minute ${name} now, took ${was ?? 'any number'}`
    const isLower = (is ?? Infinity) < (was ?? Infinity)
    return [[isLower ? 'rate limit lowered' : 'rate limit raised', words, keyword]]
  })
}

/** `per item in the sandbox` */
const flatLimits = (all: unknown): Record<string, number> =>
  Object.fromEntries(
    Object.entries((all ?? {}) as Record<string, object>).flatMap(([environment, own]) =>
      Object.entries(own).map(([scope, limit]) => {
        return [`${scope.replaceAll('_', ' ')} in ${environment}`, limit]
      }),
    ),
  )

/** A contract from before these limits were stated says nothing of them. */
function bodyLimits({ old, now }: Both): Found[] {
  const keyword = 'x-maximum-body'
  const [was, is] = [Number(old[keyword]), Number(now[keyword])]
  if (!(is < was || is > was)) return []
  const words = `takes bodies of at most ${is} bytes now, took ${was}`
  return [[is < was ? 'body limit lowered' : 'body limit raised', words, keyword]]
}

function pages({ old, now }: Both): Found[] {
  const keyword = 'x-pagination'
  if (canonical(old[keyword]) === canonical(now[keyword])) return []
  const kept = now[keyword] ? 'turns its pages otherwise' : 'has no pages any more'
  return [['pagination changed', old[keyword] ? kept : 'comes in pages now', keyword]]
}

function tokens({ old, now }: Both): Found[] {
  const keyword = 'x-bearer-replaces'
  const fieldsOf = (one: OperationObject) => [one[keyword] ?? []].flat() as string[]
  const { gone, added } = split(fieldsOf(old), fieldsOf(now))
  const found: Found[] = []
  const tell = (kind: KindName, words: string) => found.push([kind, words, keyword])
  if (gone.length > 0) {
    const words = `takes no bearer token in place of ${codes(gone)} any more`
    tell('bearer token not enough', words)
  }
  if (added.length > 0) {
    tell('bearer token enough', `takes a bearer token in place of ${codes(added)} now`)
  }
  return found
}

/** The credentials that an operation takes, and how they are sent. */
function security({ before, after, old, now, isWebhook }: Both): Found[] {
  if (isWebhook) return []
  const [theirs, ours] = [old.security ?? before.security, now.security ?? after.security]
  const { gone, added } = split(theirs.map(canonical), ours.map(canonical))
  // An empty list asks for no credentials at all.
  const lost = ours.length > 0 ? gone : []
  const at = now.security ? 'security' : '/security'
  const names = new Set([...theirs, ...ours].flatMap((requirement) => Object.keys(requirement)))
  return [
    ...lost.map((requirement): Found => {
      const schemes = Object.keys(JSON.parse(requirement))
      const words =
        schemes.length > 0
          ? `: credentials ${codes(schemes)} are no longer enough`
          : 'can no longer be called without credentials in headers'
      return ['authentication changed', words, at]
    }),
    ...added.map((): Found => {
      return ['authentication added', 'can be called with other credentials too', at]
    }),
    ...[...names].flatMap((name) => compareScheme(name, before, after)),
  ]
}

function compareScheme(name: string, before: Contract, after: Contract): Found[] {
  const [was, is] = [before, after].map(({ components }) => components.securitySchemes[name])
  return changedKeys(was, is).map((key) => {
    const change = `changed from '${was?.[key]}' to '${is?.[key]}'`
    const words = `: \`${key}\` of security scheme \`${name}\` ${change}`
    return ['authentication changed', words, `/components/securitySchemes/${name}/${key}`]
  })
}

/** Compared elsewhere, or the same for every program. */
const known = ['operationId', 'parameters', 'requestBody', 'responses', 'security', 'deprecated']

/** What has no rule of its own. */
function others({ old, now }: Both): Found[] {
  const found = changedKeys(old, now)
    .filter((key) => !known.includes(key))
    .map((key): Found => ['other change', `: \`${key}\` changed`, key])
  if (now.deprecated && !old.deprecated) found.push(['deprecated', 'is deprecated', 'deprecated'])
  if (now.requestBody?.required && old.requestBody && !old.requestBody.required) {
    found.push(['request body required', ': request body became required', 'requestBody/required'])
  }
  return found
}
