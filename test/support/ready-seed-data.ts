import { createService } from '../../src/server/boot/create-service.ts'
import { prepareSeedData } from '../../src/server/fixtures/prepare-seed-data.ts'
import type { Database } from '../../src/server/kernel/database.ts'
import { createKeys } from '../../src/server/kernel/keys.ts'
import { programId } from '../../src/testing/program-id.ts'
import type { Content } from './engine.ts'

/** The keys that encrypt and hash in all prepared seed data. */
export const seedDataKeys = createKeys(new Uint8Array(32).fill(11))

const program = programId()?.slice(0, 12)

/**
 * The default seed data as a first start would write it now. It depends on the day and the hour;
 * with a clock of its own, on the millisecond.
 */
export function readySeedData(clock?: () => number): Content {
  const now = new Date(clock?.() ?? Date.now()).toISOString()
  const moment = (clock ? now : now.slice(0, 13)).replaceAll(/\D/g, '')
  return {
    name: `world_${program}_${moment}`,
    fill: (database) => writeSeedData(database, clock ?? Date.now),
  }
}

async function writeSeedData(database: Database, clock: () => number): Promise<void> {
  const { service, app } = await createService({
    database,
    keys: seedDataKeys,
    settings: { environment: 'sandbox', reportDelayMs: 0 },
    publicUrl: () => '',
    rateLimits: 'off',
    clock,
    log: { info: () => {}, error: (error, message) => console.error(message, error) },
  })
  const usual = { fixture: undefined, seed: undefined, fixtureDate: undefined }
  await prepareSeedData(service, { ...usual, environment: 'sandbox' })
  await service.runner.stop()
  await app.close()
}
