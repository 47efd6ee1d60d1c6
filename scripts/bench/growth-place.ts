import { mkdtempSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { databaseFile, keyFile } from '../../src/server/config/data-folder.ts'
import { givenKey, readKeyFile } from '../../src/server/config/encryption-key.ts'
import { openKeys } from '../../src/server/data-keys/open-keys.ts'
import { openPostgres } from '../../src/server/db/postgres.ts'
import { openSqlite } from '../../src/server/db/sqlite.ts'
import { type CpuTimes, readCpu, readMemory } from './cpu.ts'
import { type BenchDatabase, createDatabase } from './database.ts'
import { requireDisk } from './disk.ts'
import { casesOf, type GrowthCase } from './growth-cases.ts'
import { openSink } from './load-sink.ts'
import { insertClients, type LoadedWorld, loadSeedData, type Progress } from './load-world.ts'
import { dataOf, type ServicePlan, type ServiceProgram, startService } from './service.ts'

export type Engine = 'sqlite' | 'postgres'

/** A service on a world of some size. */
export interface Place {
  engine: Engine
  size: number
  url: string
  cases: readonly GrowthCase[]
  /** What the world takes on disk, in MB, and how long it took to load, in seconds. */
  megabytes: number
  loadSeconds: number
  /** CPU seconds of the service, and of the database's processes for it. */
  cpu(): Promise<CpuTimes>
  /** Resident memory in MB. */
  memory(): number | undefined
  remove(): Promise<void>
}

export interface PlaceOptions {
  engine: Engine
  size: number
  /** The folder of the build. */
  dist: string
  onProgress(progress: Progress): void
}

/** Fills a world of its own, and starts a service on it. */
export async function openPlace(options: PlaceOptions): Promise<Place> {
  requireDisk(tmpdir())
  const folder = mkdtempSync(join(tmpdir(), 'growth-'))
  const database = options.engine === 'postgres' ? await createDatabase() : undefined
  const remove = async () => {
    if (typeof database === 'object') await database.remove()
    rmSync(folder, { recursive: true, force: true })
  }
  try {
    if (typeof database === 'string') throw new Error(database)
    return await fill(options, folder, database, remove)
  } catch (error) {
    await remove()
    throw error
  }
}

async function fill(
  options: PlaceOptions,
  folder: string,
  database: BenchDatabase | undefined,
  remove: () => Promise<void>,
): Promise<Place> {
  const { engine, size, dist } = options
  const plan: ServicePlan = {
    dist,
    folder,
    name: 'growth',
    ...(database ? { databaseUrl: database.url } : {}),
  }
  // The first start makes the tables, the keys and the default world.
  await (await startService({ ...plan, name: 'first-start' })).stop()
  const begun = performance.now()
  const world = await load(plan, options)
  const loadSeconds = (performance.now() - begun) / 1000
  const program = await startService(plan)
  return {
    engine,
    size,
    url: program.url,
    cases: await casesOf(program.url, world).catch(stopping(program)),
    megabytes: (await bytesOf(plan)) / 1e6,
    loadSeconds,
    async cpu() {
      const [own, theirs] = [readCpu([program.pid]), await database?.cpu()]
      return own && new Map([...own, ...(theirs ?? [])])
    },
    memory: () => readMemory(program.pid),
    async remove() {
      await program.stop()
      await remove()
    },
  }
}

const stopping = (program: ServiceProgram) => async (error: unknown) => {
  await program.stop()
  throw error
}

const dataFolder = (plan: ServicePlan): string => dataOf(plan)['DATA_DIR'] ?? ''
const storeOf = (plan: ServicePlan): string => plan.databaseUrl ?? databaseFile(dataFolder(plan))

async function bytesOf(plan: ServicePlan): Promise<number> {
  if (plan.databaseUrl === undefined) return statSync(storeOf(plan)).size
  const database = await openPostgres(plan.databaseUrl)
  const sql = 'select pg_database_size(current_database()) as bytes'
  const row = await database.single.first<{ bytes: number }>(sql)
  await database.close()
  return row?.bytes ?? 0
}

async function load(plan: ServicePlan, { size, onProgress }: PlaceOptions): Promise<LoadedWorld> {
  const address = storeOf(plan)
  const database = await (plan.databaseUrl ? openPostgres(address) : openSqlite(address))
  const keys = await openKeys(database, keyOf(plan))
  const clients = await insertClients(database, keys).finally(() => database.close())
  const sink = await openSink(address)
  const world = await loadSeedData({ sink, keys, clients, size, onProgress })
  await sink.close()
  return world
}

function keyOf(plan: ServicePlan) {
  const key = dataOf(plan)['ENCRYPTION_KEY']
  return key === undefined ? readKeyFile(keyFile(dataFolder(plan))) : givenKey(key, undefined)
}
