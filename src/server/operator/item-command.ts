import { deletePublicTokens, setAccessToken } from '../items/item-details-store.ts'
import { removeItem } from '../items/remove-item.ts'
import { findItem } from '../items/store.ts'
import type { Context } from '../kernel/context.ts'
import type { Queries } from '../kernel/database.ts'
import type { Service } from '../kernel/service.ts'
import { readInstitution } from '../transactions/check-institution.ts'
import { announceChanges } from '../transactions/emit-updates.ts'
import { asClient } from './as-client.ts'
import { audit } from './audit.ts'
import { requireClient } from './client-command.ts'
import {
  type CountedItem,
  findListedItem,
  type ListedItem,
  listItems,
  listItemsOf,
} from './item-store.ts'
import { OperatorError } from './operator-error.ts'

/** What an operator does with Items. */
export type ItemCommand =
  | { item: 'list'; client_id?: string }
  | { item: 'show'; id: string }
  | { item: ItemChange; id: string }

type ItemChange = 'refresh' | 'remove' | 'access-token'

/**
 * The Items that a command concerns, of which a list does not count what they have, and a new access
 * token, which cannot be shown again.
 */
export interface ItemsDone {
  items: (ListedItem | CountedItem)[]
  access_token?: string
}

/** Carries out a command about Items. */
export async function runItemCommand(
  service: Service,
  command: ItemCommand,
  actor: string,
): Promise<ItemsDone> {
  const { database } = service
  if (command.item === 'list') {
    const { client_id } = command
    return { items: await database.read((db) => list(db, client_id)) }
  }
  const { id } = command
  const item = await requireListed(service, id)
  if (command.item === 'show') return { items: [item] }
  if (item.removed_at !== null) throw new OperatorError(`the Item ${id} was removed`)
  const access_token = await asClient(service, item.client_id, async (ctx) => {
    const action = `item.${command.item}`
    await audit(service, ctx.db, { actor, action, client_id: item.client_id, subject: id })
    return changes[command.item](ctx, id)
  })
  const items = [await requireListed(service, id)]
  return access_token === undefined ? { items } : { items, access_token }
}

async function list(db: Queries, clientId: string | undefined): Promise<ListedItem[]> {
  if (clientId === undefined) return listItems(db)
  await requireClient(db, clientId)
  return listItemsOf(db, clientId)
}

type Change = (ctx: Context, itemId: string) => Promise<string | undefined>

const changes: Readonly<Record<ItemChange, Change>> = {
  async refresh(ctx, itemId) {
    const item = await requireItemRow(ctx, itemId)
    await announceChanges(ctx, item, await readInstitution(ctx, item))
    return undefined
  },
  async remove(ctx, itemId) {
    await removeItem(ctx, itemId, { code: null, note: 'removed by an operator' })
    return undefined
  },
  async 'access-token'(ctx, itemId) {
    const token = ctx.newId('access_token')
    await setAccessToken(ctx, itemId, token)
    await deletePublicTokens(ctx, itemId)
    return token
  },
}

async function requireItemRow(ctx: Context, itemId: string) {
  const item = await findItem(ctx, itemId)
  if (!item) throw new OperatorError(`there is no Item ${itemId}: \`item list\` shows all`)
  return item
}

async function requireListed({ database }: Service, itemId: string): Promise<CountedItem> {
  const item = await database.read((db) => findListedItem(db, itemId))
  if (!item) throw new OperatorError(`there is no Item ${itemId}: \`item list\` shows all`)
  return item
}
