import { mkdtempSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { databaseFile } from '../../src/server/config/data-folder.ts'
import { givenKey } from '../../src/server/config/encryption-key.ts'
import { openKeys } from '../../src/server/data-keys/open-keys.ts'
import { openPostgres } from '../../src/server/db/postgres.ts'
import { openSqlite } from '../../src/server/db/sqlite.ts'
import { clearOnSignal } from './clear-on-signal.ts'
import { cpuBetween, readMemory } from './cpu.ts'
import { createDatabase } from './database.ts'
import { requireDisk } from './disk.ts'
import { takeNote } from './figures.ts'
import { type FilledDatabase, fillDatabase, linkTemplates, type Progress } from './fill-database.ts'
import { casesOf, type GrowthCase } from './growth-cases.ts'
import { type Engine, type Growth, type GrowthWorld, sizeName } from './growth-report.ts'
import { requireSuccess } from './load.ts'
import { inRounds, mediansOf } from './rounds.ts'
import { send } from './send.ts'
import { type Server, toServer } from './servers.ts'
import { encryptionKey, startService } from './service.ts'
import { shuffle } from './statistics.ts'

const rounds = 5
const seconds = 1
/** Before the first round: the service has compiled what it needs, and the database has it cached. */
const warmUp = { seconds: 2, most: 300 }

interface GrowthOptions {
  engines: readonly Engine[]
  /** The smallest first; the others are compared with it. */
  sizes: readonly number[]
  /** The folder of the build. */
  dist: string
}

type Tell = (line: string) => void

/** A service on a database of some size. */
interface Instance {
  world: Omit<GrowthWorld, 'memory'>
  cases: readonly GrowthCase[]
  server: Server
  url: string
}

/** Measures what the same requests cost at each size, by turns with the smallest. */
export async function measureGrowth(options: GrowthOptions, tell: Tell): Promise<Growth> {
  const { engines, sizes, dist } = options
  requireDisk(tmpdir())
  await using everything = new AsyncDisposableStack()
  clearOnSignal(() => everything.disposeAsync())
  const growth: Growth = { taken: takeNote(await findVersion(engines)), rows: [], worlds: [] }
  for (const engine of engines) {
    await using cleanup = everything.use(new AsyncDisposableStack())
    const open = (size: number, stack: AsyncDisposableStack) =>
      openInstance({ engine, size, dist }, stack, tell)
    const [smallest = 0, ...larger] = sizes
    const reference = await open(smallest, cleanup)
    if (larger.length === 0) await measure(reference, reference, growth, tell)
    for (const size of larger) {
      await using own = everything.use(new AsyncDisposableStack())
      await measure(await open(size, own), reference, growth, tell)
    }
  }
  return growth
}

/** The server's version, where PostgreSQL is measured; its absence fails before anything is loaded. */
async function findVersion(engines: readonly Engine[]): Promise<string | undefined> {
  if (!engines.includes('postgres')) return undefined
  const database = await createDatabase()
  await database.remove()
  return database.version
}

/** Fills a database of its own, and starts a service on it. */
async function openInstance(
  { engine, size, dist }: { engine: Engine; size: number; dist: string },
  cleanup: AsyncDisposableStack,
  tell: Tell,
): Promise<Instance> {
  const folder = mkdtempSync(join(tmpdir(), 'growth-'))
  cleanup.defer(() => rmSync(folder, { recursive: true, force: true }))
  const database = engine === 'postgres' ? await createDatabase() : undefined
  if (database) cleanup.defer(() => database.remove())
  const plan = { dist, folder, ...(database && { databaseUrl: database.url }) }
  // The first start makes the tables, the keys and the seed data.
  const first = await startService({ ...plan, name: 'first-start' })
  const templates = await linkTemplates(first.url, size).finally(first.stop)
  const begun = performance.now()
  const onProgress = showProgress(`${engine}, ${sizeName(size)}`, tell)
  const file = databaseFile(join(folder, 'data'))
  const open = await (database ? openPostgres(database.url) : openSqlite(file))
  const keys = await openKeys(open, givenKey(encryptionKey, undefined))
  const filled: FilledDatabase = await fillDatabase({
    database: open,
    keys,
    templates,
    size,
    onProgress,
  }).finally(() => open.close())
  const loadSeconds = (performance.now() - begun) / 1000
  const bytes = database ? await database.bytes() : statSync(file).size
  const program = await startService({ ...plan, name: 'growth' })
  cleanup.defer(program.stop)
  return {
    world: { engine, size, megabytes: bytes / 1e6, loadSeconds },
    cases: await casesOf(program.url, filled),
    server: toServer(engine, [program], database),
    url: program.url,
  }
}

const progressEveryMs = 5000

function showProgress(title: string, tell: Tell): (progress: Progress) => void {
  let shown = performance.now()
  return ({ done, total }) => {
    if (performance.now() - shown < progressEveryMs) return
    shown = performance.now()
    tell(`${title}: ${Math.round((done / total) * 100)} % loaded`)
  }
}

interface Sample {
  /** Microseconds for a request; null where the system does not report it. */
  cpu: number | null
  p50: number
  p99: number
}

/** Adds the rows of an instance, and those of the reference where it has none yet. */
async function measure(
  instance: Instance,
  reference: Instance,
  growth: Growth,
  tell: Tell,
): Promise<void> {
  const both = [...new Set([reference, instance])]
  for (const one of both) for (const { requests } of one.cases) await load(one, requests, warmUp)
  const turns = instance.cases.map(({ name }, index) => ({ name, index }))
  const found = await inRounds(turns, rounds, tell, async ({ index }) => {
    const samples = new Map<Instance, Sample>()
    for (const one of shuffle(both)) {
      samples.set(one, await load(one, one.cases[index]?.requests ?? [], { seconds }))
    }
    return samples
  })
  const mediansIn = (one: Instance) =>
    [...found.values()].map((all) => mediansOf(all.map((samples) => samples.get(one) as Sample)))
  const smallest = mediansIn(reference)
  for (const one of both) {
    const { engine, size } = one.world
    if (growth.worlds.some((world) => world.engine === engine && world.size === size)) continue
    for (const [index, figures] of mediansIn(one).entries()) {
      const { name = '', isExcepted = false } = one.cases[index] ?? {}
      const { cpu, ...times } = figures
      const judged = cpu === null ? 'p50' : 'cpu'
      const ratio = Number(figures[judged]) / Number(smallest[index]?.[judged])
      const known = cpu === null ? times : { cpu, ...times }
      growth.rows.push({ engine, size, name, isExcepted, ...known, ratio })
    }
    const memory = readMemory(one.server.programs[0]?.pid ?? 0)
    growth.worlds.push({ ...one.world, ...(memory === undefined ? {} : { memory }) })
  }
}

/** Sends requests one after the other. */
async function load(
  { server, url }: Instance,
  requests: GrowthCase['requests'],
  limits: { seconds: number; most?: number },
): Promise<Sample> {
  const before = await server.cpu()
  const sent = await send({ urls: [url], requests, connections: 1, ...limits })
  requireSuccess(url, sent)
  const used = cpuBetween(before, await server.cpu())
  const cpu = used === undefined ? null : (used / sent.sent) * 1e6
  return { cpu, p50: sent.p50, p99: sent.p99 }
}
