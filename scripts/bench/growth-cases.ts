import { operations } from '#contract/operations.ts'
import type { TransactionsSyncResponse, WalletListResponse } from '#contract/types.ts'
import { wellKnownClients } from '../../src/server/clients/well-known-clients.ts'
import { addDays, toDate } from '../../src/server/kernel/time.ts'
import { askAt, headersFor, type OperationId } from './cases.ts'
import type { FilledClient, FilledDatabase, FilledItem } from './fill-database.ts'
import type { Sending } from './send.ts'

/** The same page, requested again and again at each size, however much else there is. */
export interface GrowthCase {
  name: string
  requests: Sending[]
  /** It is about all of an Item's own history: it is reported, and has no level. */
  isExcepted: boolean
}

/** How many Items take turns, and how many cursors. */
const mostItems = 100
const mostCursors = 20
const page = 100
const rangeDays = 90
/** How many days the history of each Item has, and how many transactions a day. */
const allDays = 730
const perItem = 2.3

/** The cases of a large database that a service at an address has. */
export async function casesOf(url: string, { items, deep }: FilledDatabase): Promise<GrowthCase[]> {
  const [owner] = wellKnownClients
  const request = (id: OperationId, client: FilledClient, body: object): Sending => ({
    path: operations[id].path,
    headers: headersFor(undefined, client),
    body: JSON.stringify(body),
  })
  const of = (all: readonly FilledItem[], id: OperationId, more: object = {}) =>
    all.map((item) => request(id, item, { access_token: item.access_token, ...more }))
  const today = toDate(new Date().toISOString())
  const last = (days: number, offset = 0) => ({
    start_date: addDays(today, -days),
    end_date: today,
    options: { count: page, offset },
  })
  // As many as the other Items have in their range, so that it is the same page. A short history has fewer.
  const fewDays = Math.min(allDays, Math.ceil((rangeDays * perItem * allDays) / deep.transactions))
  const cursors = await listCursors(url, deep)
  const { wallets } = await askAt(url)<WalletListResponse>(operations.walletList.path, {})
  const some = evenly(items, mostItems)
  const half = Math.floor(deep.transactions / 2)
  const all: [name: string, requests: Sending[], isExcepted?: boolean][] = [
    ['walletGet', [request('walletGet', owner, { wallet_id: wallets[0]?.wallet_id })]],
    ['accountsGet', of(some, 'accountsGet')],
    ['transactionsSync, first page', of(some, 'transactionsSync', { count: page })],
    ['transactionsGet, first page', of(some, 'transactionsGet', last(rangeDays))],
    [
      'transactionsSync, first page of the deep Item',
      of([deep], 'transactionsSync', { count: page }),
    ],
    [
      'transactionsSync, deep in the deep Item',
      cursors.flatMap((cursor) => of([deep], 'transactionsSync', { count: page, cursor })),
    ],
    [
      'transactionsGet, first page of some days of the deep Item',
      of([deep], 'transactionsGet', last(fewDays)),
    ],
    [
      'transactionsGet, first page of all days of the deep Item',
      of([deep], 'transactionsGet', last(allDays)),
      true,
    ],
    [
      'transactionsGet, halfway into all days of the deep Item',
      of([deep], 'transactionsGet', last(allDays, half)),
      true,
    ],
  ]
  return all.map(([name, requests, isExcepted = false]) => ({ name, requests, isExcepted }))
}

/** At most so many elements, from the whole of a list. */
const evenly = <Element>(list: readonly Element[], most: number): Element[] => {
  const step = Math.max(1, Math.floor(list.length / most))
  return list.filter((_, index) => index % step === 0).slice(0, most)
}

/** Cursors of the second half of an Item's history. */
async function listCursors(url: string, item: FilledItem): Promise<string[]> {
  const ask = askAt(url, item)
  const read = (cursor?: string) => {
    const body = { access_token: item.access_token, count: 500, cursor }
    return ask<TransactionsSyncResponse>(operations.transactionsSync.path, body)
  }
  const cursors: string[] = []
  for (let answer = await read(); answer.has_more; answer = await read(answer.next_cursor)) {
    cursors.push(answer.next_cursor)
  }
  // The last page may be shorter.
  const late = cursors.slice(Math.floor(cursors.length / 2), -1)
  if (late.length === 0) throw new Error('the deep Item has too few pages')
  return evenly(late, mostCursors)
}
