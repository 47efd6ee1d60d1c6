import { readFileSync } from 'node:fs'
import type { World } from '../../generated/sandbox/types.ts'
import {
  createService,
  type RunningService,
  type ServiceParts,
} from '../server/boot/create-service.ts'
import type { RateLimitsMode } from '../server/config/config.ts'
import { type Config, readConfig } from '../server/config/config.ts'
import { newEncryptionKey } from '../server/config/encryption-key.ts'
import { ConfigError } from '../server/config/read-option.ts'
import { type EmbeddedDatabase, openSqlite } from '../server/db/sqlite.ts'
import { prepareSeedData } from '../server/fixtures/prepare-seed-data.ts'
import { createKeys } from '../server/kernel/keys.ts'
import { createSnapshots } from './snapshot.ts'
import { findFirstDue, findImage, keepImage, placeOf, type WorldWish } from './world-image.ts'
import type { Snapshots } from './world-snapshot.ts'

/** What `startService` may be told, as far as the service itself is concerned. */
export interface RunOptions {
  fixture?: string | URL | World
  seed?: string
  fixtureDate?: string
  rateLimits?: RateLimitsMode
  reportDelayMs?: number
  onError?: (error: unknown, message: string) => void
}

/** A service that listens. */
export interface Run extends Snapshots {
  url: string
  close(): Promise<void>
}

/** Starts the service in this process, on a free port. */
export async function runService(options: RunOptions): Promise<Run> {
  const config = readOptions(options)
  const { fixtureDate } = config
  const wish = { seed: options.seed, fixtureDate, fixture: readFixture(options.fixture) }
  const database = openSqlite(':memory:')
  try {
    let url = ''
    const parts = partsOf(config, options, () => url)
    const { running, kept } = await open(database, wish, parts)
    url = await running.app.listen({ port: 0, host: '127.0.0.1' })
    running.service.runner.wake()
    const close = async () => {
      await running.close()
      await kept
    }
    return { ...createSnapshots(running, database), url, close }
  } catch (error) {
    await database.close()
    throw error
  }
}

const optionNames: Readonly<Record<string, string>> = {
  FIXTURE_DATE: '`fixtureDate`',
  RATE_LIMITS: '`rateLimits`',
  REPORT_DELAY_MS: '`reportDelayMs`',
}

/** The options as the service's own are read, with the same bounds. */
function readOptions({ fixtureDate, rateLimits, reportDelayMs = 0 }: RunOptions): Config {
  try {
    const given = { FIXTURE_DATE: fixtureDate, RATE_LIMITS: rateLimits }
    const config = readConfig([], { ...given, REPORT_DELAY_MS: String(reportDelayMs), MEMORY: '1' })
    if (config !== 'help') return config
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error
    throw new TypeError(
      error.message.replaceAll(/[A-Z_]{4,}/g, (name) => optionNames[name] ?? name),
    )
  }
  throw new Error('without flags nobody asks for help')
}

function readFixture(fixture: RunOptions['fixture']): WorldWish['fixture'] {
  if (fixture === undefined) return undefined
  if (typeof fixture === 'string' || fixture instanceof URL) {
    return { name: String(fixture), text: readFileSync(fixture, 'utf8') }
  }
  return { name: 'fixture', text: JSON.stringify(fixture, null, 2) }
}

/** Puts a service together on the world that is wished for: one that is ready, or a new one. */
async function open(
  database: EmbeddedDatabase,
  wish: WorldWish,
  parts: Omit<ServiceParts, 'database' | 'keys'>,
): Promise<{ running: RunningService; kept: Promise<void> | undefined }> {
  const place = database.hasImages ? placeOf(wish) : undefined
  const from = Date.now()
  const image = place && findImage(place, from)
  const key = image?.key ?? newEncryptionKey()
  if (image) await database.load(image.bytes)
  const running = await createService({ ...parts, database, keys: createKeys(key) })
  if (image) return { running, kept: undefined }
  await prepareSeedData(running.service, { ...wish, environment: 'sandbox' })
  if (!place) return { running, kept: undefined }
  const [bytes, due] = [await database.image(), await findFirstDue(database)]
  return { running, kept: keepImage(place, { bytes, key, from }, due) }
}

const partsOf = (
  { environment, rateLimits, reportDelayMs }: Config,
  { onError }: RunOptions,
  publicUrl: () => string,
): Omit<ServiceParts, 'database' | 'keys'> => ({
  settings: { environment, reportDelayMs },
  publicUrl,
  rateLimits,
  log: { info: () => {}, error: (error, message) => onError?.(error, message) },
})
