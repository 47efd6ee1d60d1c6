import type { Queries } from '../kernel/database.ts'

/** A client as operators see it. */
export interface ListedClient {
  client_id: string
  client_name: string | null
  /** A JSON array. */
  features: string
  webhook: string | null
  created_at: string
  disabled_at: string | null
  /** Until when the secret before the present one is accepted, in real ms. */
  previous_secret_until: number | null
  /** Until when production stores the bodies of its calls, in real ms. */
  keeps_bodies_until: number | null
}

const columns = `client_id, client_name, features, webhook, created_at, disabled_at,
  previous_secret_until, keeps_bodies_until`

export const listClients = (db: Queries) =>
  db.all<ListedClient>(`select ${columns} from clients order by created_at, client_id`)

export const findListedClient = (db: Queries, clientId: string) =>
  db.first<ListedClient>(`select ${columns} from clients where client_id = $1`, [clientId])

/** Makes a new secret the present one. The one before is accepted until `until`, in real ms. */
export async function replaceSecret(
  db: Queries,
  clientId: string,
  secretHash: string,
  until: number,
): Promise<void> {
  await db.run(
    `update clients set previous_secret_hash = secret_hash, previous_secret_until = $3,
        secret_hash = $2
      where client_id = $1`,
    [clientId, secretHash, until],
  )
}

/** Rejects a client from now on, or lets it in again. */
export async function setDisabled(
  db: Queries,
  clientId: string,
  disabledAt: string | null,
): Promise<void> {
  await db.run('update clients set disabled_at = $2 where client_id = $1', [clientId, disabledAt])
}

export async function setFeatures(
  db: Queries,
  clientId: string,
  features: readonly string[],
): Promise<void> {
  await db.run('update clients set features = $2 where client_id = $1', [
    clientId,
    JSON.stringify(features),
  ])
}

export async function setWebhook(
  db: Queries,
  clientId: string,
  webhook: string | null,
): Promise<void> {
  await db.run('update clients set webhook = $2 where client_id = $1', [clientId, webhook])
}

/** Stores the bodies of the client's calls until then, in real ms; null for not at all. */
export async function setKeepsBodies(
  db: Queries,
  clientId: string,
  until: number | null,
): Promise<void> {
  await db.run('update clients set keeps_bodies_until = $2 where client_id = $1', [clientId, until])
}
