import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { isMain, root } from '../contract/contract.ts'
import { createDatabase } from './database.ts'
import { keepFigures, takeNote } from './figures.ts'
import { measure } from './growth-measure.ts'
import { type Engine, openPlace, type Place } from './growth-place.ts'
import { type Growth, sizeName, tooMuch, toText } from './growth-report.ts'
import type { Progress } from './load-world.ts'

export interface GrowthOptions {
  engines?: readonly Engine[]
  /** The smallest first, which the others are compared with. */
  sizes?: readonly number[]
  /** The folder of the build. */
  dist?: string
  /** Keeps the figures for the docs. */
  record?: boolean
}

const usualSizes = [10_000, 100_000, 1_000_000, 10_000_000]

/** Measures what the same requests cost at each size, in turn with the smallest. */
export async function measureGrowth(options: GrowthOptions = {}): Promise<Growth> {
  const { engines = ['sqlite', 'postgres'], sizes = usualSizes } = options
  const growth: Growth = { taken: takeNote(await findVersion(engines)), rows: [], worlds: [] }
  const dist = options.dist ?? join(root, 'dist')
  for (const engine of engines) {
    const open = (size: number) => {
      const onProgress = showProgress(`${engine}, ${sizeName(size)}`)
      return openPlace({ engine, size, dist, onProgress })
    }
    const [smallest = 0, ...larger] = sizes
    const reference = await open(smallest)
    try {
      if (larger.length === 0) await measure(reference, reference, growth)
      for (const size of larger)
        await withPlace(open(size), (place) => measure(place, reference, growth))
    } finally {
      await reference.remove()
    }
  }
  console.log(toText(growth))
  if (options.record) keepFigures({ growth })
  return growth
}

/** The server's, where one takes part; its absence is told before anything is loaded. */
async function findVersion(engines: readonly Engine[]): Promise<string | undefined> {
  if (!engines.includes('postgres')) return undefined
  const database = await createDatabase()
  if (typeof database === 'string') throw new Error(database)
  await database.remove()
  return database.version
}

async function withPlace(opening: Promise<Place>, work: (place: Place) => Promise<void>) {
  const place = await opening
  try {
    await work(place)
  } finally {
    await place.remove()
  }
}

const progressEveryMs = 5000

/** A line now and then, of how far a world has got. */
function showProgress(title: string): (progress: Progress) => void {
  let shown = performance.now()
  return ({ done, total, perSecond, secondsLeft }) => {
    if (performance.now() - shown < progressEveryMs) return
    shown = performance.now()
    const share = Math.round((done / total) * 100)
    process.stderr.write(
      `${title}: ${share} %, ${Math.round(perSecond)} rows/s, ${Math.round(secondsLeft)} s left\n`,
    )
  }
}

if (isMain(import.meta.filename)) {
  const { values } = parseArgs({
    options: {
      engine: { type: 'string', multiple: true },
      size: { type: 'string', multiple: true },
      dist: { type: 'string' },
      record: { type: 'boolean', default: false },
    },
  })
  const growth = await measureGrowth({
    ...(values.engine ? { engines: values.engine as Engine[] } : {}),
    ...(values.size ? { sizes: values.size.map(Number) } : {}),
    ...(values.dist === undefined ? {} : { dist: values.dist }),
    record: values.record,
  })
  if (tooMuch(growth).length > 0) process.exitCode = 1
}
