import { cpuBetween } from './cpu.ts'
import type { Place } from './growth-place.ts'
import { type Growth, type GrowthRow, type GrowthWorld, sizeName } from './growth-report.ts'
import { send } from './growth-send.ts'
import { median, shuffle } from './statistics.ts'

const rounds = 5
const seconds = 1
/** Before the first round: the service has compiled what it needs, and the store has it at hand. */
const warming = { seconds: 2, most: 300 }

interface Sample {
  place: Place
  name: string
  /** Microseconds for a request. */
  cpu: number | undefined
  p50: number
  p99: number
}

/** Adds the rows of a place, and of the reference where it has none yet. */
export async function measure(place: Place, reference: Place, growth: Growth): Promise<void> {
  const both = [...new Set([reference, place])]
  for (const one of both) {
    for (const { askings } of one.cases) await send(one.url, askings, warming)
  }
  const samples: Sample[] = []
  for (let round = 1; round <= rounds; round += 1) {
    process.stderr.write(`${sizeName(place.size)}: round ${round} of ${rounds}\n`)
    for (const { name } of shuffle(place.cases)) {
      for (const one of shuffle(both)) samples.push(await sample(one, name))
    }
  }
  for (const one of both) {
    if (growth.worlds.some(({ engine, size }) => engine === one.engine && size === one.size))
      continue
    growth.rows.push(...one.cases.map((each) => toRow(one, reference, each, samples)))
    growth.worlds.push(toWorld(one))
  }
}

async function sample(place: Place, name: string): Promise<Sample> {
  const askings = place.cases.find((one) => one.name === name)?.askings ?? []
  const before = await place.cpu()
  const { count, p50, p99 } = await send(place.url, askings, { seconds })
  const used = cpuBetween(before, await place.cpu())
  return { place, name, cpu: used === undefined ? undefined : (used / count) * 1e6, p50, p99 }
}

function toRow(
  place: Place,
  reference: Place,
  { name, isExcepted = false }: Place['cases'][number],
  samples: readonly Sample[],
): GrowthRow {
  const middle = (of: Place, figure: 'cpu' | 'p50' | 'p99') =>
    median(
      samples
        .filter((one) => one.place === of && one.name === name)
        .map((one) => one[figure] ?? Number.NaN),
    )
  const cpu = middle(place, 'cpu')
  const p50 = middle(place, 'p50')
  const isTold = !Number.isNaN(cpu)
  const ratio = isTold ? cpu / middle(reference, 'cpu') : p50 / middle(reference, 'p50')
  return {
    engine: place.engine,
    size: place.size,
    name,
    isExcepted,
    ...(isTold ? { cpu } : {}),
    p50,
    p99: middle(place, 'p99'),
    ratio,
  }
}

function toWorld({ engine, size, megabytes, loadSeconds, memory }: Place): GrowthWorld {
  const resident = memory()
  return {
    engine,
    size,
    megabytes,
    loadSeconds,
    ...(resident === undefined ? {} : { memory: resident }),
  }
}
