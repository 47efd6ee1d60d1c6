import type { Schemas } from '../../data/api.ts'

type Count = Schemas['DashboardCallCount']

export interface Sum {
  name: string
  calls: number
  failed: number
  durationMs: number
}

const isFailed = ({ status }: Count): boolean => status >= 400

/** The calls of each group, the largest first. */
function sumBy(counts: readonly Count[], nameOf: (count: Count) => string): Sum[] {
  const sums = new Map<string, Sum>()
  for (const one of counts) {
    const name = nameOf(one)
    const sum = sums.get(name) ?? { name, calls: 0, failed: 0, durationMs: 0 }
    sum.calls += one.calls
    sum.failed += isFailed(one) ? one.calls : 0
    sum.durationMs += one.duration_ms
    sums.set(name, sum)
  }
  return [...sums.values()].sort((a, b) => b.calls - a.calls)
}

export const byOperation = (counts: readonly Count[]): Sum[] =>
  sumBy(counts, ({ operation_id }) => operation_id)

export const byCode = (counts: readonly Count[]): Sum[] =>
  sumBy(counts.filter(isFailed), ({ error_code, status }) => error_code ?? String(status))

export const total = (counts: readonly Count[]): Sum =>
  sumBy(counts, () => 'all')[0] ?? { name: 'all', calls: 0, failed: 0, durationMs: 0 }

export interface Hour {
  at: string
  succeeded: number
  failed: number
}

const hourMs = 3_600_000

/** Every hour between two moments, also those without calls. */
export function byHour(counts: readonly Count[], from: string, now: string): Hour[] {
  const sums = new Map(sumBy(counts, ({ hour }) => hour).map((sum) => [Date.parse(sum.name), sum]))
  const first = Math.floor(Date.parse(from) / hourMs)
  const last = Math.floor(Date.parse(now) / hourMs)
  return Array.from({ length: Math.max(0, last - first + 1) }, (_, index) => {
    const at = (first + index) * hourMs
    const { calls = 0, failed = 0 } = sums.get(at) ?? {}
    return { at: new Date(at).toISOString(), succeeded: calls - failed, failed }
  })
}
