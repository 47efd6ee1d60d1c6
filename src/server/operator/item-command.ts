import { deletePublicTokens, setAccessToken } from '../items/item-details-store.ts'
import { removeItem } from '../items/remove-item.ts'
import { findItem } from '../items/store.ts'
import type { Context } from '../kernel/context.ts'
import type { Queries } from '../kernel/database.ts'
import type { Service } from '../kernel/service.ts'
import { toTimestamp } from '../kernel/time.ts'
import { type PullRow, readPull } from '../queue/pull-store.ts'
import { type Signs, toSignsByFormat } from '../sources/signs.ts'
import { askForPull } from '../transactions/ask-for-pull.ts'
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
  listSignedAccounts,
  type SignedAccount,
} from './item-store.ts'
import { OperatorError } from './operator-error.ts'

/** What an operator does with Items. */
export type ItemCommand =
  | { item: 'list'; client_id?: string }
  | { item: 'show'; id: string }
  | { item: ItemChange; id: string }

type ItemChange = 'refresh' | 'remove' | 'access-token'

/** The signs that files of a format give to debts and charges of an account. */
interface ShownSigns extends Signs {
  account_id: string
  account_name: string
  format: string
}

/** When the service reads an Item from its source, by the real time. */
interface ShownReads {
  /** The present time or an earlier one where a read is due. */
  next_at: string
  /** Null before the first one that succeeded. */
  last_at: string | null
  /** Why the last one failed, and how many have failed since. */
  failure: string | null
  failures: number
  /** What the source has told beside its data. */
  notices: string[]
}

/** An Item as it is shown alone. */
export interface ShownItem extends CountedItem {
  signs: ShownSigns[]
  /** Only where the service reads it by itself. */
  reads?: ShownReads
}

/**
 * The Items that a command concerns, of which a list does not count what they have, and a new access
 * token, which cannot be shown again.
 */
export interface ItemsDone {
  items: (ListedItem | ShownItem)[]
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
  // Reads at once what was made due. Without a service on the data, the next one reads it.
  if (command.item === 'refresh') await service.runner.pull(item.client_id, id)
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
    if (await makePullDue(ctx, itemId)) return undefined
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

/** Returns false for an Item that the service does not read from a source. */
async function makePullDue(ctx: Context, itemId: string): Promise<boolean> {
  const wait = await askForPull(ctx, itemId)
  if (wait === undefined) return false
  if (wait === 0) return true
  const minutes = Math.ceil(wait / 60_000)
  throw new OperatorError(
    `the source of the Item ${itemId} allows no call now: try again in ${minutes} min`,
  )
}

async function requireItemRow(ctx: Context, itemId: string) {
  const item = await findItem(ctx, itemId)
  if (!item) throw new OperatorError(`there is no Item ${itemId}: \`item list\` shows all`)
  return item
}

function requireListed({ database }: Service, itemId: string): Promise<ShownItem> {
  return database.read(async (db) => {
    const item = await findListedItem(db, itemId)
    if (!item) throw new OperatorError(`there is no Item ${itemId}: \`item list\` shows all`)
    const signs = (await listSignedAccounts(db, item)).flatMap(toShownSigns)
    const pull = await readPull(db, item)
    return { ...item, signs, ...(pull ? { reads: toShownReads(pull) } : {}) }
  })
}

const toShownReads = ({ due_at, read_at, failure, failures, notices }: PullRow): ShownReads => ({
  next_at: toTimestamp(due_at),
  last_at: read_at === 0 ? null : toTimestamp(read_at),
  failure,
  failures,
  notices: notices?.split('\n') ?? [],
})

const toShownSigns = ({ account_id, name, signs }: SignedAccount): ShownSigns[] =>
  Object.entries(toSignsByFormat(signs)).map(([format, said]) => {
    return { account_id, account_name: name, format, ...said }
  })
