import type { World, WorldClient } from '../../../generated/sandbox/types.ts'
import { defaultFeatures } from '../clients/client.ts'
import { findClient, insertClient } from '../clients/store.ts'
import type { Context } from '../context.ts'
import { createContext } from '../create-context.ts'
import type { Queries } from '../db/database.ts'
import { insertTemplate } from '../identity-verification/store.ts'
import { newId } from '../ids.ts'
import { toInstitutionRow } from '../institutions/institution.ts'
import { noteInstitutionChange } from '../institutions/search-store.ts'
import { insertInstitution } from '../institutions/store.ts'
import type { Service } from '../service.ts'
import { toTimestamp } from '../time.ts'
import { loadBankTransfers } from './load-bank-transfers.ts'
import { loadIdentityVerifications } from './load-identity-verifications.ts'
import { loadItem } from './load-item.ts'
import { loadDashboardUsers, loadUsers } from './load-people.ts'
import { loadTransfer } from './load-transfer.ts'
import { loadWallet } from './load-wallet.ts'
import { told } from './told.ts'
import { complete, type WorldContext } from './world-context.ts'
import { needs } from './world-needs.ts'

/** What everything generated follows from, and where relative dates count from. */
export type Origin = Pick<WorldContext, 'seed' | 'anchor'>

/** Writes a whole world; the caller's transaction makes it all or nothing. */
export async function loadWorld(
  service: Service,
  db: Queries,
  world: World,
  origin: Origin,
): Promise<void> {
  await loadShared(service, db, world, origin)
  const now = service.clock()
  for (const client of world.clients ?? []) await writeClient(service, db, client, now)
  // A transfer may be made for another client, so all are there before the first has any.
  for (const [index, client] of (world.clients ?? []).entries()) {
    const row = await findClient(db, client.client_id)
    if (!row) throw new Error('a client was not written')
    const { ctx } = createContext(service, db, { client: row, now })
    await told(`clients[${index}]`, () => loadClientWorld(ctx, client, origin))
  }
}

/** What belongs to every client's world. */
async function loadShared(
  { settings }: Service,
  db: Queries,
  world: World,
  { anchor }: Origin,
): Promise<void> {
  const start = `${anchor}T00:00:00Z`
  for (const institution of world.institutions ?? []) {
    const row = toInstitutionRow(complete(institution, needs.institution), start)
    await insertInstitution(db, '', row)
  }
  await noteInstitutionChange(db, '', newId('opaque', settings.environment))
  for (const template of world.identity_verification_templates ?? []) {
    const { template_id, name = null, version = 1, steps } = complete(template, needs.template)
    await insertTemplate(db, { client_id: '', template_id, name, version, steps })
  }
}

async function writeClient(
  service: Service,
  db: Queries,
  client: WorldClient,
  now: number,
): Promise<void> {
  const { client_id, secret } = complete(client, needs.client)
  await insertClient(db, {
    client_id,
    client_name: client.client_name ?? client_id,
    secret_hash: service.keys.hash(secret),
    public_key: client.public_key ?? null,
    default_version: client.default_version ?? null,
    features: client.features ?? defaultFeatures,
    created_at: toTimestamp(now),
  })
}

/** Writes what belongs to one client, which holds nothing yet. */
export async function loadClientWorld(
  ctx: Context,
  client: WorldClient,
  origin: Origin,
): Promise<void> {
  const world: WorldContext = { ctx, ...origin }
  await loadUsers(world, client.users ?? [])
  for (const [index, item] of (client.items ?? []).entries()) {
    await told(`items[${index}]`, () => loadItem(world, item))
  }
  await loadDashboardUsers(world, client.dashboard_users ?? [])
  await loadIdentityVerifications(world, client.identity_verifications ?? [])
  for (const wallet of client.wallets ?? []) await loadWallet(world, wallet)
  for (const [index, transfer] of (client.transfers ?? []).entries()) {
    await told(`transfers[${index}]`, () => loadTransfer(world, transfer))
  }
  await loadBankTransfers(world, client.bank_transfers ?? [])
}
