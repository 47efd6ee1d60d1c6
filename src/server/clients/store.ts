import { insertRows } from '../db/insert-rows.ts'
import type { ClientRow, Context } from '../kernel/context.ts'
import type { Queries } from '../kernel/database.ts'

const columns = `client_id, default_version, clock_offset_ms, features, injections, resets, listens_until,
  secret_hash, previous_secret_hash, previous_secret_until, disabled_at,
  keeps_bodies_until`

/** A client with the hashes of its secrets. */
export interface StoredClient extends ClientRow {
  secret_hash: string
  /** The secret before, and until when it is accepted, in real ms. */
  previous_secret_hash: string | null
  previous_secret_until: number | null
  /** Since when the client is rejected. */
  disabled_at: string | null
  /** Until when production stores the bodies of its calls, in real ms. */
  keeps_bodies_until: number | null
}

// A constant: every request reads its client, and a new string would be hashed each time.
const byId = `select ${columns} from clients where client_id = $1`

export const findClient = (db: Queries, clientId: string) =>
  db.first<StoredClient>(byId, [clientId])

/**
 * The client whose work is to be done, kept until the commit from transactions that do not name it as
 * their owner, such as those of an earlier version. Undefined where one of them has the row.
 */
export const claimClient = (db: Queries, clientId: string) =>
  db.first<StoredClient>(`${byId} ${db.skipLocked}`, [clientId])

export const findClientByPublicKey = (db: Queries, publicKey: string) =>
  db.first<StoredClient>(`select ${columns} from clients where public_key = $1`, [publicKey])

/** Where webhooks of the client's new Items go. */
export const findClientWebhook = async ({ own }: Context): Promise<string | null> =>
  (await own.first<{ webhook: string | null }>('select webhook from clients where client_id = $1'))
    ?.webhook ?? null

interface NewClient {
  client_id: string
  client_name: string | null
  secret_hash: string
  public_key: string | null
  default_version: string | null
  features: readonly string[]
  created_at: string
}

export const insertClient = (db: Queries, client: NewClient): Promise<number> =>
  insertRows(db, 'clients', [{ ...client, features: JSON.stringify(client.features) }])

/** What a client's clock is ahead of the real one; nobody else moves it until the commit. */
export async function lockClock(db: Queries, clientId: string): Promise<number> {
  const row = await db.first<Pick<ClientRow, 'clock_offset_ms'>>(
    `update clients set clock_offset_ms = clock_offset_ms
      where client_id = $1 returning clock_offset_ms`,
    [clientId],
  )
  if (!row) throw new Error('the client is gone')
  return row.clock_offset_ms
}

/** Moves a client's clock on. */
export async function advanceClock(db: Queries, clientId: string, ms: number): Promise<void> {
  await db.run('update clients set clock_offset_ms = clock_offset_ms + $2 where client_id = $1', [
    clientId,
    ms,
  ])
}
