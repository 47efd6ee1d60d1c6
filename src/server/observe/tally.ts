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

/** What is counted under one name, as it is when somebody reads it. */
export interface Series extends Described {
  type: 'counter' | 'gauge' | 'histogram'
  read(): Sample[]
}

// The counters and histograms of prom-client check and hash all labels at each step, which takes
// five times as long as this, and a start would wait until it is loaded.

/** A counter among others; what is returned takes the values of its labels in their order. */
export function createCounter(all: Series[], described: Described): (...labels: string[]) => void {
  const counts = new Map<string, { labels: string[]; count: number }>()
  if (described.labelNames.length === 0) counts.set('', { labels: [], count: 0 })
  const read = () =>
    [...counts.values()].map(({ labels, count }) => ({
      labels: named(described, labels),
      value: count,
    }))
  all.push({ ...described, type: 'counter', read })
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

/** A value for each of some labels. */
export type Measured = readonly (readonly [labels: readonly string[], value: number])[]

/** What is measured anew for each reader: one value, or some with their labels. */
export function createGauge(
  all: Series[],
  described: Described,
  measure: () => number | Measured,
): void {
  const read = () => {
    const found = measure()
    const values: Measured = typeof found === 'number' ? [[[], found]] : found
    return values.map(([labels, value]) => ({ labels: named(described, labels), value }))
  }
  all.push({ ...described, type: 'gauge', read })
}

/** A histogram of times with at most one label. */
export function createTimes(
  all: Series[],
  described: Described,
  buckets: readonly number[],
): (ms: number, label?: string) => void {
  const distributions = new Map<string, Distribution>()
  const read = () =>
    [...distributions].flatMap(([label, times]) =>
      samplesOf(described.name, buckets, named(described, [label]), times),
    )
  all.push({ ...described, type: 'histogram', read })
  return (ms, label = '') => {
    const seconds = ms / 1000
    let times = distributions.get(label)
    if (!times) {
      times = { counts: Array(buckets.length + 1).fill(0), sum: 0 }
      distributions.set(label, times)
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
