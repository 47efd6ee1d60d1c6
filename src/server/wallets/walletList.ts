import type { Context } from '../kernel/context.ts'
import { foreignCursor } from '../kernel/list-cursor.ts'
import type { HandlerOf } from '../kernel/operation.ts'
import { findWallet, listWallets } from './store.ts'
import { toWallet, type WalletRow } from './wallet.ts'

const usualCount = 10

export const walletList: HandlerOf<'walletList'> = async (ctx, { body }) => {
  const count = body.count ?? usualCount
  const before = body.cursor === undefined ? undefined : await readCursor(ctx, body.cursor)
  // One more than asked for tells whether the page is the last.
  const found = await listWallets(ctx, {
    currency: body.iso_currency_code,
    before,
    count: count + 1,
  })
  const page = found.slice(0, count)
  const last = page.at(-1)
  return {
    wallets: page.map((row) => toWallet(row, ctx.keys)),
    ...(last && found.length > count ? { next_cursor: toCursor(last) } : {}),
  }
}
walletList.reads = true
walletList.single = (body) => body.cursor === undefined

/** A cursor is the last wallet of a page: wallets stay, so it never goes stale. */
const toCursor = ({ wallet_id }: WalletRow): string => Buffer.from(wallet_id).toString('base64')

async function readCursor(ctx: Context, cursor: string): Promise<number> {
  const walletId = Buffer.from(cursor, 'base64').toString('utf8')
  const row = /^[\w-]+$/.test(walletId) ? await findWallet(ctx, walletId) : undefined
  if (row && toCursor(row) === cursor) return row.sequence
  throw foreignCursor()
}
