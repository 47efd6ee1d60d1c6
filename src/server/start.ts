import { pino } from 'pino'
import { type Config, ConfigError } from './config.ts'
import { createService, type RunningService } from './create-service.ts'
import { databaseFile, explainingStore, keyFile, prepareDataFolder } from './data-folder.ts'
import type { Database } from './db/database.ts'
import { openSqlite } from './db/sqlite.ts'
import {
  type FoundKey,
  newEncryptionKey,
  parseEncryptionKey,
  readKeyFile,
} from './encryption-key.ts'
import { docsFolder } from './files.ts'
import { createKeys } from './keys.ts'
import type { AnswerCheck } from './pipeline.ts'
import type { Log, Service } from './service.ts'
import { prepareWorld } from './world/prepare-world.ts'
import { findSetting, insertSetting } from './world/settings-store.ts'

/** A service that listens. */
export interface StartedService extends RunningService {
  /** The address that was bound. */
  address: string
}

/** Opens the data, fills it at the first start, and listens. */
export async function start(config: Config, checkAnswer?: AnswerCheck): Promise<StartedService> {
  if (config.data !== undefined) prepareDataFolder(config.data)
  const found = encryptionKey(config)
  const explaining = explainingStore(config.data)
  const database = await openDatabase(config).catch(explaining)
  let address = config.publicUrl
  const running = await createService({
    database,
    keys: createKeys(found.key),
    settings: { environment: config.environment, reportDelayMs: config.reportDelayMs },
    publicUrl: () => address ?? '',
    rateLimits: config.rateLimits,
    log: createLog(config.logLevel),
    docs: docsFolder(),
    checkAnswer,
    corsOrigin: config.corsOrigin,
  })
    .catch(closing(database))
    .catch(explaining)
  await checkKey(running.service, found).catch(closing(running))
  await prepareWorld(running.service, config).catch(closing(running))
  const bound = await listen(running, config)
  address ??= bound
  running.service.runner.wake()
  return { ...running, address: bound }
}

async function listen(running: RunningService, config: Config): Promise<string> {
  try {
    return await running.app.listen({ port: config.port, host: config.host })
  } catch (error) {
    await running.close()
    const { code, message } = error as NodeJS.ErrnoException
    // Whatever the system refuses here, it refuses for the address.
    if (code === undefined) throw error
    const option = code === 'EADDRINUSE' || code === 'EACCES' ? 'port' : 'host'
    throw new ConfigError(`${message}: choose another ${option} with ${optionNames[option]}`)
  }
}

const optionNames = { port: '--port (PORT)', host: '--host (HOST)' }

/** Closes what was opened, and passes the failure on. */
const closing = (opened: { close(): Promise<void> }) => async (error: unknown) => {
  await opened.close()
  throw error
}

function encryptionKey({ encryptionKey: text, data }: Config): FoundKey {
  if (text === undefined && data !== undefined) return readKeyFile(keyFile(data))
  const key = text === undefined ? newEncryptionKey() : parseEncryptionKey(text)
  return { key, name: 'ENCRYPTION_KEY', keep: () => {} }
}

/** With another key no secret would be known again, and nothing could be decrypted. */
async function checkKey({ database, keys }: Service, { name, keep }: FoundKey): Promise<void> {
  const mark = keys.hash('the key of this data')
  if ((await database.read((db) => findSetting(db, 'key_mark'))) === undefined) keep()
  const known = await database.exclusive(async (db) => {
    await insertSetting(db, 'key_mark', mark)
    return findSetting(db, 'key_mark')
  })
  if (known === mark) return
  throw new ConfigError(`${name} must be the key that the data was written with`)
}

async function openDatabase(config: Config): Promise<Database> {
  if (config.databaseUrl !== undefined) {
    const { openPostgres } = await import('./db/postgres.ts')
    return openPostgres(config.databaseUrl)
  }
  if (config.data === undefined) return openSqlite(':memory:')
  return openSqlite(databaseFile(config.data))
}

function createLog(level: string): Log {
  const logger = pino({ level })
  return {
    info: (details, message) => logger.info(details, message),
    error: (error, message) => logger.error(error, message),
  }
}
