import { existsSync } from 'node:fs'
import type { Config } from '../config/config.ts'
import { databaseFile } from '../config/data-folder.ts'
import { findEncryptionKey } from '../config/find-encryption-key.ts'
import { openKeys } from '../data-keys/open-keys.ts'
import { rejectEarlierData } from '../db/migrate.ts'
import { findSetting } from '../db/settings-store.ts'
import { createClockGuard } from '../kernel/clock-guard.ts'
import { type Database, DatabaseError } from '../kernel/database.ts'
import { noRunner, type Service } from '../kernel/service.ts'
import { createSingletons } from '../kernel/singletons.ts'
import { noTelemetry } from '../kernel/telemetry.ts'
import { noteKeyChange } from '../operator/audit-upkeep.ts'
import { openDatabase } from './open-database.ts'

/** The data of a service, for a command that does not start one. */
interface OpenStore {
  service: Service
  close(): Promise<void>
}

/** Opens the data that a service has made, by the options that the service has. */
export async function openStore(config: Config): Promise<OpenStore> {
  const database = await open(config)
  try {
    await rejectEarlierData(database)
    const stored = await database.read((db) => findSetting(db, 'environment'))
    const environment = stored === 'production' ? stored : config.environment
    const keys = await openKeys(
      database,
      findEncryptionKey({ ...config, environment }),
      noteKeyChange,
    )
    const { reportDelayMs, identityGateway } = config
    const settings = { environment, reportDelayMs, ...(identityGateway ? { identityGateway } : {}) }
    const log = { info: () => {}, error: (error: unknown) => console.error(error) }
    const clock = Date.now
    const service: Service = {
      database,
      keys,
      settings,
      clock,
      clockGuard: createClockGuard({ clock, log, settings }),
      publicUrl: () => config.publicUrl ?? '',
      docsUrl: () => undefined,
      singleton: createSingletons(),
      // A service that runs on the data does what is due, or the next one does.
      runner: noRunner,
      fetch: globalThis.fetch,
      log,
      telemetry: noTelemetry,
    }
    return { service, close: () => database.close() }
  } catch (error) {
    await database.close()
    throw error
  }
}

async function open(config: Config): Promise<Database> {
  const file = databaseFile(config.data ?? '')
  if (config.databaseUrl === undefined && !existsSync(file)) {
    throw new DatabaseError(`${file} is not there: start the service once, or name its folder`)
  }
  return openDatabase(config)
}
