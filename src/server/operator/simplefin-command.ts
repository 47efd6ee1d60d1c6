import { hasControls } from '../../control-characters.ts'
import { findClient } from '../clients/store.ts'
import type { Service } from '../kernel/service.ts'
import { toTimestamp } from '../kernel/time.ts'
import { createAccess } from '../outlet/access.ts'
import {
  type AccessRow,
  findSimplefinAccess,
  listSimplefinAccess,
  revokeSimplefinAccess,
} from '../outlet/store.ts'
import { asClient } from './as-client.ts'
import { audit } from './audit.ts'
import { findListedItem } from './item-store.ts'
import { OperatorError } from './operator-error.ts'

/** What an operator does with the access of other programs by SimpleFIN. */
export type SimplefinCommand =
  /** For an Item, or for all Items of a client. */
  | { simplefin: 'create'; name: string; item?: string; client_id?: string }
  /** Of all clients, or of one client or Item. */
  | { simplefin: 'list'; item?: string; client_id?: string }
  | { simplefin: 'revoke'; id: string }

/** An access as operators see it. */
export interface ShownAccess {
  id: string
  client_id: string
  item_id: string | null
  name: string
  status: 'open' | 'expired' | 'claimed' | 'revoked'
  created_at: string
  claimed_at: string | null
  used_at: string | null
}

export interface AccessDone {
  access: ShownAccess[]
  /** Of a new access; shown once. */
  setup_token?: string
}

/** Carries out a command about the access of other programs. */
export async function runSimplefinCommand(
  service: Service,
  command: SimplefinCommand,
  actor: string,
): Promise<AccessDone> {
  const show = (row: AccessRow) => toShown(row, service.clock())
  if (command.simplefin === 'create') {
    const { access, setup_token } = await create(service, command, actor)
    return { access: [show(access)], setup_token }
  }
  if (command.simplefin === 'revoke') await revoke(service, command.id, actor)
  const rows = await service.database.read(listSimplefinAccess)
  return { access: rows.filter((row) => isAsked(row, command)).map(show) }
}

function isAsked(
  row: AccessRow,
  command: Exclude<SimplefinCommand, { simplefin: 'create' }>,
): boolean {
  if (command.simplefin === 'revoke') return row.access_id === command.id
  const { item = row.item_id, client_id = row.client_id } = command
  return row.item_id === item && row.client_id === client_id
}

const longestName = 100

async function create(
  service: Service,
  { name, item, client_id }: Extract<SimplefinCommand, { simplefin: 'create' }>,
  actor: string,
) {
  if (name.trim() === '' || hasControls(name)) throw new OperatorError('the name must be a text')
  if ([...name].length > longestName) {
    throw new OperatorError(`the name must have at most ${longestName} characters`)
  }
  requireAddress(service)
  const owner = item === undefined ? client_id : await ownerOf(service, item)
  if (owner === undefined) throw new OperatorError('name a client or an Item')
  return asClient(service, owner, async (ctx) => {
    const client = await findClient(ctx.db, owner)
    if (client?.disabled_at !== null) throw new OperatorError(`the client ${owner} is disabled`)
    return createAccess(ctx, { name, item_id: item ?? null, actor })
  })
}

/** Programs send their password to the address in the token with every request. */
function requireAddress({ settings, publicUrl }: Service): void {
  const address = publicUrl()
  if (address === '') {
    throw new OperatorError('set PUBLIC_URL: the token holds the address of the service')
  }
  const isOpen = settings.environment === 'sandbox' || settings.callTargets === 'loopback'
  if (isOpen || address.startsWith('https://')) return
  throw new OperatorError(
    'set PUBLIC_URL to an https address, and start the service with it: the token holds the address, to which programs send their password',
  )
}

async function ownerOf({ database }: Service, itemId: string): Promise<string> {
  const item = await database.read((db) => findListedItem(db, itemId))
  if (!item) throw new OperatorError(`there is no Item ${itemId}: \`item list\` shows all`)
  if (item.removed_at !== null) throw new OperatorError(`the Item ${itemId} was removed`)
  return item.client_id
}

async function revoke(service: Service, id: string, actor: string): Promise<void> {
  const found = await service.database.read((db) => findSimplefinAccess(db, id))
  if (!found) throw new OperatorError(`there is no access ${id}: \`simplefin list\` shows all`)
  const { client_id, access_id: subject } = found
  await asClient(service, client_id, async ({ db }) => {
    if (!(await revokeSimplefinAccess(db, found, toTimestamp(service.clock())))) return
    await audit(service, db, { actor, action: 'simplefin.revoke', client_id, subject })
  })
}

const toShown = (row: AccessRow, now: number): ShownAccess => ({
  id: row.access_id,
  client_id: row.client_id,
  item_id: row.item_id,
  name: row.name,
  status: statusOf(row, now),
  created_at: row.created_at,
  claimed_at: row.claimed_at,
  used_at: row.used_at,
})

function statusOf(row: AccessRow, now: number): ShownAccess['status'] {
  if (row.revoked_at !== null) return 'revoked'
  if (row.claimed_at !== null) return 'claimed'
  return row.token_expires_at <= now ? 'expired' : 'open'
}
