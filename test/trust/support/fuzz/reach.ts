import { keyOf } from './judge.ts'
import type { Subject } from './subjects.ts'
import type { Answer } from './target.ts'

/** What answers were had, by operation, code and version. */
export interface Reach {
  count(subject: Subject, version: string, answer: Answer, injected: boolean): void
  /** Whether a pair was had, in whatever way. */
  has(pair: string): boolean
  /** Requests so far, those by other means included. */
  requests: number
  add(other: ReachData): void
  data(): ReachData
}

/** What can be sent to another process. */
export interface ReachData {
  requests: number
  /** `operationId key`, without an injected fault. */
  plain: string[]
  /** The same, with one. */
  injected: string[]
  /** `operationId version status`. */
  statuses: string[]
}

export const pairOf = (subject: Pick<Subject, 'id'>, key: string): string => `${subject.id} ${key}`

export function createReach(): Reach {
  const plain = new Set<string>()
  const injected = new Set<string>()
  const statuses = new Set<string>()
  const reach: Reach = {
    requests: 0,
    has: (pair) => plain.has(pair) || injected.has(pair),
    count(subject, version, answer, isInjected) {
      reach.requests += 1
      statuses.add(
        `${subject.id} ${subject.isSandboxOperation ? 'sandbox' : version} ${answer.status}`,
      )
      const key = answer.status === 200 ? '200' : keyOf(subject, answer)
      if (key) (isInjected && key !== '200' ? injected : plain).add(pairOf(subject, key))
    },
    add(other) {
      reach.requests += other.requests
      for (const one of other.plain) plain.add(one)
      for (const one of other.injected) injected.add(one)
      for (const one of other.statuses) statuses.add(one)
    },
    data: () => ({
      requests: reach.requests,
      plain: [...plain],
      injected: [...injected],
      statuses: [...statuses],
    }),
  }
  return reach
}

/** What of the contract can be reached: each operation with its success and each of its errors. */
function listPairs(subjects: readonly Subject[]): string[] {
  return subjects.flatMap((subject) => [
    pairOf(subject, '200'),
    ...Object.values(subject.errors)
      .flat()
      .map((key) => pairOf(subject, key)),
  ])
}

interface Missed {
  pairs: number
  plain: number
  injectedOnly: number
  missed: string[]
  /** Operations, versions and statuses that were listed and not had. */
  missedStatuses: string[]
}

export function compare(
  subjects: readonly Subject[],
  { plain, injected, statuses }: ReachData,
): Missed {
  const pairs = listPairs(subjects)
  const had = new Set([...plain, ...injected])
  const expected = subjects.flatMap((subject) =>
    ['200', ...Object.keys(subject.errors)].flatMap((status) =>
      (subject.isSandboxOperation ? ['sandbox'] : Object.keys(subject.forms)).map(
        (version) => `${subject.id} ${version} ${status}`,
      ),
    ),
  )
  return {
    pairs: pairs.length,
    plain: pairs.filter((pair) => plain.includes(pair)).length,
    injectedOnly: pairs.filter((pair) => !plain.includes(pair) && had.has(pair)).length,
    missed: pairs.filter((pair) => !had.has(pair)),
    missedStatuses: expected.filter((one) => !statuses.includes(one)),
  }
}
