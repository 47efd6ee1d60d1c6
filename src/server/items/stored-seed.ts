import { findSetting, putSetting } from '../db/settings-store.ts'
import type { Context } from '../kernel/context.ts'
import type { Queries } from '../kernel/database.ts'
import type { Service } from '../kernel/service.ts'

// An Item of a file may follow from its access token, which is never stored as it is: production has
// a hash in its place; the sandbox encrypts it, so that its data stays the same wherever it is made.

const endsWithToken = /access-(sandbox|production)-[A-Za-z0-9-]+$/

type Surroundings = Pick<Context, 'keys' | 'settings'>

/** What an Item of a file follows from where that names no seed. */
export const seedOfToken = ({ keys, settings }: Surroundings, accessToken: string): string =>
  settings.environment === 'production' ? keys.hash(accessToken) : accessToken

/** A seed as it is stored. */
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
 * Earlier versions stored the token itself. A text of the same length is written over it first, since
 * SQLite leaves in its file what a longer value replaces. Each database is searched once.
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
