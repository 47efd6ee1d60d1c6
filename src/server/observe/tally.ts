import type { Metric, Registry } from 'prom-client'

/** A metric by its name, with the names of its labels. */
export interface Described {
  name: string
  help: string
  labelNames: readonly string[]
}

interface Sample {
  metricName?: string
  labels: Record<string, string | number>
  value: number
}

// The counters and histograms of prom-client check and hash all labels at each step, which takes
// five times as long as this; here they are put together when somebody reads them.

/** A counter; `add` takes the values of its labels in their order. */
export function createTally(
  registry: Registry,
  described: Described,
): (...labels: string[]) => void {
  const counts = new Map<string, { labels: string[]; count: number }>()
  if (described.labelNames.length === 0) counts.set('', { labels: [], count: 0 })
  register(registry, described, 'counter', () =>
    [...counts.values()].map(({ labels, count }) => ({
      labels: named(described, labels),
      value: count,
    })),
  )
  return (...labels) => {
    const key = labels.join('\n')
    const known = counts.get(key)
    if (known) known.count += 1
    else counts.set(key, { labels, count: 1 })
  }
}

interface Distribution {
  /** How many fell into each bucket, and into none. */
  counts: number[]
  sum: number
}

/** A histogram of times with at most one label. */
export function createTimes(
  registry: Registry,
  described: Described,
  buckets: readonly number[],
): (ms: number, label?: string) => void {
  const all = new Map<string, Distribution>()
  register(registry, described, 'histogram', () =>
    [...all].flatMap(([label, times]) =>
      samplesOf(described.name, buckets, named(described, [label]), times),
    ),
  )
  return (ms, label = '') => {
    const seconds = ms / 1000
    let times = all.get(label)
    if (!times) {
      times = { counts: Array(buckets.length + 1).fill(0), sum: 0 }
      all.set(label, times)
    }
    let place = 0
    while (place < buckets.length && seconds > (buckets[place] as number)) place += 1
    times.counts[place] = (times.counts[place] as number) + 1
    times.sum += seconds
  }
}

function samplesOf(
  name: string,
  buckets: readonly number[],
  labels: Sample['labels'],
  { counts, sum }: Distribution,
): Sample[] {
  let below = 0
  const samples = counts.map((count, place): Sample => {
    below += count
    const le = buckets[place] ?? '+Inf'
    return { metricName: `${name}_bucket`, labels: { le, ...labels }, value: below }
  })
  return [
    ...samples,
    { metricName: `${name}_sum`, labels, value: sum },
    { metricName: `${name}_count`, labels, value: below },
  ]
}

const named = ({ labelNames }: Described, values: readonly string[]): Sample['labels'] =>
  Object.fromEntries(labelNames.map((label, index) => [label, values[index] ?? '']))

function register(
  registry: Registry,
  { name, help }: Described,
  type: 'counter' | 'histogram',
  read: () => Sample[],
): void {
  const metric = {
    name,
    get: async () => ({ name, help, type, values: read(), aggregator: 'sum' }),
  }
  // Of a metric the registry uses no more than this; its type names the classes that it brings.
  registry.registerMetric(metric as unknown as Metric<string>)
}
