import { createHash } from 'node:crypto'
import { existsSync, readFileSync } from 'node:fs'
import type { Config } from '../config.ts'
import type { Database } from '../db/database.ts'
import { builtWorldFile } from '../files.ts'
import type { Service } from '../service.ts'
import { toDate, toTimestamp } from '../time.ts'
import { wellKnownClients, wellKnownPublicKey } from '../well-known-clients.ts'
import { loadWorld, type Origin } from './load-world.ts'
import type { ReadWorld, WorldFile } from './read-world.ts'
import {
  deleteSetting,
  findOpenClient,
  findSetting,
  insertSetting,
  isFilled,
  replaceSetting,
} from './settings-store.ts'
import { sealStoredSeeds } from './stored-seed.ts'
import { RefusedPart } from './told.ts'
import { refuse, WorldError } from './world-error.ts'

interface WorldConfig extends Pick<Config, 'seed' | 'fixtureDate' | 'environment'> {
  /** The path of a file, or one that has been read. */
  fixture: string | WorldFile | undefined
}

/** What everything generated follows from when nobody chooses. */
const usualSeed = 'tidewater'

/** Fills a database at its first start, wholly or not at all; later it keeps what it has. */
export async function prepareWorld(service: Service, config: WorldConfig): Promise<void> {
  if (await service.database.read(isFilled)) {
    await refuseOtherEnvironment(service, config)
    if (config.environment === 'production') await removeStoredWorld(service.database)
    await sealStoredSeeds(service)
    return noteIgnored(service, config)
  }
  const own = await readFixture(config)
  const { world, at } = await readFirstWorld(config, own)
  const origin: Origin = {
    seed: config.seed ?? world.seed ?? usualSeed,
    anchor: config.fixtureDate ?? toDate(toTimestamp(service.clock())),
  }
  const load = service.database.exclusive(async (db) => {
    // Of two first starts at once, the later waits here, and then has nothing to do.
    if (!(await insertSetting(db, 'seed', origin.seed))) return
    await insertSetting(db, 'anchor', origin.anchor)
    await insertSetting(db, 'environment', config.environment)
    if (config.environment === 'sandbox') {
      // For `/sandbox/reset`. A world names secrets, tokens and numbers, so it is encrypted.
      await insertSetting(db, 'world', service.keys.encrypt(JSON.stringify(world)))
      await insertSetting(db, 'fixture', own ? digestOf(own) : '')
    }
    await loadWorld(service, db, world, origin)
  })
  await load.catch((error: unknown) => {
    if (error instanceof RefusedPart) refuse([at(error.path, error.message)])
    throw error
  })
  // The server does it by itself later, so that a failure costs time and nothing else.
  await service.database
    .takeStock?.()
    .catch((error: unknown) => service.log.error(error, 'the first world was not counted'))
}

/** What reads files of the world, YAML and the validators included: later starts need none of it. */
const reading = () => import('./read-world.ts')

const readFixture = async ({ fixture }: WorldConfig): Promise<WorldFile | undefined> =>
  typeof fixture === 'string' ? (await reading()).readWorldFile(fixture) : fixture

async function readFirstWorld(config: WorldConfig, own: WorldFile | undefined): Promise<ReadWorld> {
  if (!own && config.environment === 'sandbox' && existsSync(builtWorldFile)) return builtWorld()
  const { defaultWorldFiles, readWorld } = await reading()
  return readWorld(filesOf(config, own, defaultWorldFiles), config.environment)
}

const builtWorld = (): ReadWorld => ({
  world: JSON.parse(readFileSync(builtWorldFile, 'utf8')),
  at: (path, message) => ({
    place: { file: builtWorldFile, line: 1, column: 1, path },
    path,
    message,
  }),
})

/** In production nothing is there that everybody knows. */
function filesOf(
  { environment }: WorldConfig,
  own: WorldFile | undefined,
  defaultWorldFiles: () => WorldFile[],
): WorldFile[] {
  const files = own ? [own] : []
  if (environment === 'sandbox') return [...defaultWorldFiles(), ...files]
  if (files.length > 0) return files
  throw new WorldError(
    'production starts only with a world of its own: give one with --fixture (FIXTURE), or data that was filled before',
  )
}

/** A sandbox would open the control surface over real data, and sandbox data lets everybody in. */
async function refuseOtherEnvironment(service: Service, config: WorldConfig): Promise<void> {
  if (config.environment === 'production') return refuseWellKnown(service)
  const stored = await service.database.read((db) => findSetting(db, 'environment'))
  if (stored !== 'production') return
  throw new WorldError(
    'a sandbox does not start with the data of a production; choose other data with --data (DATA_DIR)',
  )
}

/** Data that a sandbox has filled lets everybody in. */
async function refuseWellKnown({ database, keys }: Service): Promise<void> {
  const hashes = wellKnownClients.map(({ secret }) => keys.hash(secret))
  const open = await database.read((db) => findOpenClient(db, hashes, wellKnownPublicKey))
  if (open === undefined) return
  throw new WorldError(
    `production does not start with data whose credentials everybody knows (${open}); choose other data, or none and a --fixture (FIXTURE)`,
  )
}

/**
 * Earlier versions stored the world of a production, which nothing there reads. It is overwritten in
 * a transaction of its own: what is only deleted stays in the file of the embedded store.
 */
async function removeStoredWorld(database: Database): Promise<void> {
  for (const name of ['world', 'fixture'] as const) {
    const stored = await database.read((db) => findSetting(db, name))
    if (stored === undefined) continue
    await database.exclusive((db) => replaceSetting(db, name, '0'.repeat(stored.length)))
    await database.exclusive((db) => deleteSetting(db, name))
  }
}

const digestOf = ({ text }: WorldFile): string => createHash('sha256').update(text).digest('hex')

/** Says in one line which options come too late, since the data is there already. */
async function noteIgnored(service: Service, config: WorldConfig): Promise<void> {
  const [seed, fixture, anchor] = await service.database.read(async (db) => [
    await findSetting(db, 'seed'),
    await findSetting(db, 'fixture'),
    await findSetting(db, 'anchor'),
  ])
  const ignored = [
    ...(differs(config.seed, seed) ? ['--seed (SEED)'] : []),
    ...((await isOtherFixture(config, fixture)) ? ['--fixture (FIXTURE)'] : []),
    ...(differs(config.fixtureDate, anchor) ? ['FIXTURE_DATE'] : []),
  ]
  if (ignored.length === 0) return
  const verb = ignored.length === 1 ? 'is' : 'are'
  console.warn(`${ignored.join(' and ')} ${verb} for the first start only: the data stays as it is`)
}

/** A fixture is read once: later the file may be gone, as a file of secrets should be. */
async function isOtherFixture(config: WorldConfig, stored: string | undefined): Promise<boolean> {
  if (config.environment === 'production') return config.fixture !== undefined
  try {
    const given = await readFixture(config)
    return differs(given && digestOf(given), stored)
  } catch (error) {
    if (error instanceof WorldError) return true
    throw error
  }
}

const differs = (asked: string | undefined, stored: string | undefined): boolean =>
  asked !== undefined && asked !== stored
