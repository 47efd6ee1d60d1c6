import { headerNames, operations } from '#contract/operations.ts'
import type { TransactionsSyncResponse, WalletListResponse } from '#contract/types.ts'
import { wellKnownClients } from '../../src/server/clients/well-known-clients.ts'
import { addDays, toDate } from '../../src/server/kernel/time.ts'
import { type Asking, ask } from './growth-send.ts'
import type { LoadedClient, LoadedItem, LoadedWorld } from './load-world.ts'

/** What is asked again and again at each size; the same page, whatever else there is. */
export interface GrowthCase {
  name: string
  askings: Asking[]
  /** It is about all of an Item's own history, and so is told but not judged. */
  isExcepted?: boolean
}

type Ids = keyof typeof operations

const [first] = wellKnownClients
/** How many Items take turns. */
const mostItems = 100
const mostCursors = 20
const largestPage = 500
const page = 100
const rangeDays = 90
/** How many days the history of each Item has, and how many transactions there are of a day. */
const allDays = 730
const perItem = 2.3

const toAsking = (id: Ids, { clientId, secret }: LoadedClient, body: object): Asking => ({
  path: operations[id].path,
  headers: {
    'Content-Type': 'application/json',
    [headerNames.clientId]: clientId,
    [headerNames.secret]: secret,
  },
  body: JSON.stringify(body),
})

/** The cases of a world that a service at an address has. */
export async function casesOf(url: string, { items, deep }: LoadedWorld): Promise<GrowthCase[]> {
  const step = Math.max(1, Math.floor(items.length / mostItems))
  const some = items.filter((_, index) => index % step === 0).slice(0, mostItems)
  const each = (id: Ids, more: object = {}) =>
    some.map((item) => toAsking(id, item, { access_token: item.access_token, ...more }))
  const ofDeep = (id: Ids, more: object) => [
    toAsking(id, deep, { access_token: deep.access_token, ...more }),
  ]
  const today = toDate(new Date().toISOString())
  const perDay = deep.transactions / allDays
  const range = (days: number) => ({ start_date: addDays(today, -days), end_date: today })
  const at = (days: number, offset = 0) => ({ ...range(days), options: { count: page, offset } })
  // As many as the other Items have in their range, so that it is the same page.
  const fewDays = Math.ceil((rangeDays * perItem) / perDay)
  // A change now and then would end the walk; nothing of these Items changes by itself.
  const cursors = await walk(url, deep)
  const listed = await ask<WalletListResponse>(url, toAsking('walletList', first, {}))
  const wallet_id = listed.wallets[0]?.wallet_id
  return [
    { name: 'walletGet', askings: [toAsking('walletGet', first, { wallet_id })] },
    { name: 'accountsGet', askings: each('accountsGet') },
    { name: 'transactionsSync, first page', askings: each('transactionsSync', { count: page }) },
    { name: 'transactionsGet, first page', askings: each('transactionsGet', at(rangeDays)) },
    {
      name: 'transactionsSync, first page of the deep Item',
      askings: ofDeep('transactionsSync', { count: page }),
    },
    {
      name: 'transactionsSync, deep in the deep Item',
      askings: cursors.flatMap((cursor) => ofDeep('transactionsSync', { count: page, cursor })),
    },
    {
      name: 'transactionsGet, first page of some days of the deep Item',
      askings: ofDeep('transactionsGet', at(fewDays)),
    },
    {
      name: 'transactionsGet, first page of all days of the deep Item',
      askings: ofDeep('transactionsGet', at(allDays)),
      isExcepted: true,
    },
    {
      name: 'transactionsGet, halfway into all days of the deep Item',
      askings: ofDeep('transactionsGet', at(allDays, Math.floor(deep.transactions / 2))),
      isExcepted: true,
    },
  ]
}

/** Cursors of the second half of an Item's history. */
async function walk(url: string, item: LoadedItem): Promise<string[]> {
  const cursors: string[] = []
  let cursor: string | undefined
  for (let hasMore = true; hasMore; ) {
    const body = { access_token: item.access_token, count: largestPage, cursor }
    const asking = toAsking('transactionsSync', item, body)
    const answer = await ask<TransactionsSyncResponse>(url, asking)
    hasMore = answer.has_more
    cursor = answer.next_cursor
    if (hasMore) cursors.push(cursor)
  }
  // The last page may be shorter.
  const late = cursors.slice(Math.floor(cursors.length / 2), -1)
  const step = Math.max(1, Math.floor(late.length / mostCursors))
  const chosen = late.filter((_, index) => index % step === 0)
  if (chosen.length === 0) throw new Error('the deep Item has too few pages')
  return chosen
}
