import { createService } from '../../src/server/boot/create-service.ts'
import { prepareSeedData } from '../../src/server/fixtures/prepare-seed-data.ts'
import type { Database } from '../../src/server/kernel/database.ts'
import { createKeys } from '../../src/server/kernel/keys.ts'
import { programId } from '../../src/testing/program-id.ts'
import type { Content } from './engine.ts'

/** What encrypts and hashes in every ready world. */
export const worldKeys = createKeys(new Uint8Array(32).fill(11))

const program = programId()?.slice(0, 12)

/**
 * The default world as a first start would make it now. That one depends on the day, and on what an
 * institution has told at some full hour of it; by a clock of its own, on the moment.
 */
export function readyWorld(clock?: () => number): Content {
  const now = new Date(clock?.() ?? Date.now()).toISOString()
  const moment = (clock ? now : now.slice(0, 13)).replaceAll(/\D/g, '')
  return {
    name: `world_${program}_${moment}`,
    fill: (database) => fillWorld(database, clock ?? Date.now),
  }
}

async function fillWorld(database: Database, clock: () => number): Promise<void> {
  const { service, app } = await createService({
    database,
    keys: worldKeys,
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
