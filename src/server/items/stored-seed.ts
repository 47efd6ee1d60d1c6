import { findSetting, putSetting } from '../db/settings-store.ts'
import type { Context } from '../kernel/context.ts'
import type { Queries } from '../kernel/database.ts'
import type { Service } from '../kernel/service.ts'

// The seed of an Item from a file may be its access token, which must not be stored in plain text.
// Production stores a hash instead. The sandbox encrypts the token, so that the generated data does
// not depend on the database.

const endsWithToken = /access-(sandbox|production)-[A-Za-z0-9-]+$/

type Surroundings = Pick<Context, 'keys' | 'settings'>

/** The seed of an Item from a file that names none. */
export const seedOfToken = ({ keys, settings }: Surroundings, accessToken: string): string =>
  settings.environment === 'production' ? keys.hash(accessToken) : accessToken

/** The stored form of a seed. */
export const sealSeed = ({ keys }: Pick<Context, 'keys'>, seed: string): string =>
  endsWithToken.test(seed) ? keys.encrypt(seed) : seed

const isSealed = (stored: string): boolean => /^[0-9a-f]{8}\.[\w-]{38,}$/.test(stored)

export const openSeed = ({ keys }: Pick<Context, 'keys'>, stored: string): string =>
  isSealed(stored) ? keys.decrypt(stored) : stored

interface StoredSeed {
  client_id: string
  item_id: string
  seed: string
}

/**
 * Earlier versions stored the token itself. A text of the same length overwrites it first, since
 * SQLite keeps the old bytes in its file when a value changes length. Each database is searched
 * once.
 */
export async function sealStoredSeeds({ database, keys, settings }: Service): Promise<void> {
  if (await database.read((db) => findSetting(db, 'seeds_sealed'))) return
  const open = await database.read(listOpenSeeds)
  for (const row of open.filter(({ seed }) => endsWithToken.test(seed))) {
    const own = row.seed.replace(endsWithToken, (token) => seedOfToken({ keys, settings }, token))
    await database.exclusive(async (db) => {
      await replaceSeed(db, row, '0'.repeat(row.seed.length))
      await replaceSeed(db, row, sealSeed({ keys }, own))
    })
  }
  await database.exclusive((db) => putSetting(db, 'seeds_sealed', 'yes'))
}

const listOpenSeeds = (db: Queries) =>
  db.all<StoredSeed>("select client_id, item_id, seed from items where seed like '%/access-%'")

const replaceSeed = (db: Queries, { client_id, item_id }: StoredSeed, seed: string) =>
  db.run('update items set seed = $3 where client_id = $1 and item_id = $2', [
    client_id,
    item_id,
    seed,
  ])
