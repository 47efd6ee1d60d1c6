import fc from 'fast-check'
import { expect } from 'vitest'
import type { Transaction } from '#contract/types.ts'
import { renameTransactionsAccount } from '../../src/server/transactions/store.ts'
import type { Tenant, TestService } from './service.ts'
import {
  daysAgo,
  inContext,
  insertKnown,
  insertReadyItem,
  type Linked,
  today,
} from './transactions-fixtures.ts'

/** What must be known of a transaction: everything that these commands change. */
interface Known {
  account: string
  amount: number
  pending: boolean
  date: string
}

const accountNames = ['checking', 'credit card'] as const
type AccountName = (typeof accountNames)[number]

/** One that follows a stream as the interface says: pages are kept once the last one has come. */
interface Follower {
  /** The stream: an account, or all. */
  account: AccountName | null
  cursor: string | null
  stored: Map<string, Known>
  pages: Page[]
}

interface Page {
  added: Transaction[]
  modified: Transaction[]
  removed: { transaction_id: string }[]
  next_cursor: string
  has_more: boolean
}

/** The transactions that the institution has. */
export interface World {
  service: TestService
  tenant: Tenant
  item: Linked
  shown: Map<string, Known>
  /** Shown before, and out of sight until the history is there again. */
  hidden: Map<string, Known>
  isInitial: boolean
  followers: Follower[]
  renames: number
  /** How often a reading had to start again. */
  mutations: number
}

type Step = (world: World) => Promise<void>

/** Steps that a counterexample shows by name and input. */
const stepOf = <Input>(
  name: string,
  inputs: fc.Arbitrary<Input>,
  run: (input: Input, world: World) => Promise<void>,
): fc.Arbitrary<Step> =>
  inputs.map((input) =>
    Object.assign((world: World) => run(input, world), {
      [fc.toStringMethod]: () => `${name} ${JSON.stringify(input)}`,
    }),
  )

const bodyOf = ({ item }: World) => ({ access_token: item.access_token })
const toKnown = (transaction: Transaction): Known => ({
  account: transaction.account_id,
  amount: transaction.amount,
  pending: transaction.pending,
  date: transaction.date,
})

const pick = <Value>(list: readonly Value[], seed: number): Value | undefined =>
  list[seed % Math.max(list.length, 1)]

const dates = [today, daysAgo(10), daysAgo(50)]
const isOld = ({ date }: Known): boolean => date < daysAgo(29)

const account = fc.constantFrom(...accountNames)
const seed = fc.nat(1000)
const amount = fc.integer({ min: -9999, max: 9999 }).map((minor) => minor / 100)
const date = fc.constantFrom(...dates)

const create = stepOf(
  'create',
  fc.array(fc.record({ account, amount, date, pending: fc.boolean() }), {
    minLength: 1,
    maxLength: 3,
  }),
  async (inputs, world) => {
    const known = inputs.map((input) => ({
      ...input,
      account: String(world.item.accounts[input.account]),
    }))
    const { transaction_ids } = await world.tenant.control('sandboxTransactionsCreate', {
      ...bodyOf(world),
      transactions: known.map((one) => ({
        amount: one.amount,
        account_id: one.account,
        pending: one.pending,
        date_posted: one.date,
        date_transacted: one.date,
        description: 'KETTLE & FERN',
      })),
    })
    for (const [index, one] of known.entries()) {
      const list = world.isInitial && isOld(one) ? world.hidden : world.shown
      list.set(String(transaction_ids[index]), one)
    }
  },
)

const change = stepOf('change', fc.record({ seed, amount, date }), async (input, world) => {
  const [id, known] = pick([...world.shown], input.seed) ?? []
  // One that becomes old while old ones are out of sight stays where it is.
  if (!id || !known || world.isInitial) return
  await world.tenant.control('sandboxTransactionsUpdate', {
    ...bodyOf(world),
    transaction_id: id,
    amount: input.amount,
    date_posted: input.date,
  })
  world.shown.set(id, { ...known, amount: input.amount, date: input.date })
})

const post = stepOf('post', seed, async (number, world) => {
  const pending = [...world.shown].filter(([, known]) => known.pending)
  const [id, known] = pick(pending, number) ?? []
  if (!id || !known) return
  const { transaction_id } = await world.tenant.control('sandboxTransactionsUpdate', {
    ...bodyOf(world),
    transaction_id: id,
    pending: false,
  })
  world.shown.delete(id)
  world.shown.set(transaction_id, { ...known, pending: false })
})

const remove = stepOf(
  'remove',
  fc.array(seed, { minLength: 1, maxLength: 3 }),
  async (numbers, world) => {
    const all = [...world.shown.keys(), ...world.hidden.keys()]
    const transaction_ids = numbers.flatMap((number) => pick(all, number) ?? [])
    if (transaction_ids.length === 0) return
    await world.tenant.control('sandboxTransactionsRemove', { ...bodyOf(world), transaction_ids })
    for (const id of transaction_ids) {
      world.shown.delete(id)
      world.hidden.delete(id)
    }
  },
)

const refresh = stepOf('refresh', fc.record({ account, amount }), async (input, world) => {
  const account_id = String(world.item.accounts[input.account])
  const { amount } = input
  const [id] = await insertKnown(world.service, world.tenant, world.item, [{ account_id, amount }])
  await world.tenant.api.transactionsRefresh(bodyOf(world))
  world.shown.set(String(id), { account: account_id, amount, pending: false, date: today })
})

const rename = stepOf('rename', account, async (name, world) => {
  const old = String(world.item.accounts[name])
  world.renames += 1
  const renamed = `${old.slice(0, 34)}${String(world.renames).padStart(3, '0')}`
  await inContext(world.service, world.tenant, async (ctx) => {
    await ctx.db.run('update accounts set account_id = $2 where account_id = $1', [old, renamed])
    await renameTransactionsAccount(ctx, world.item.item_id, old, renamed)
  })
  world.item.accounts[name] = renamed
  for (const list of [world.shown, world.hidden]) {
    for (const [id, known] of list)
      if (known.account === old) list.set(id, { ...known, account: renamed })
  }
  // The stream of the old id is gone; that of the new one starts without a cursor.
  for (const follower of world.followers.filter((one) => one.account === name)) {
    Object.assign(follower, { cursor: null, stored: new Map(), pages: [] })
  }
})

const toggleStatus = stepOf('toggleStatus', fc.constant(null), async (_, world) => {
  world.isInitial = !world.isInitial
  await world.tenant.control('sandboxTransactionsSetStatus', {
    ...bodyOf(world),
    transactions_update_status: world.isInitial
      ? 'INITIAL_UPDATE_COMPLETE'
      : 'HISTORICAL_UPDATE_COMPLETE',
  })
  const [from, to] = world.isInitial ? [world.shown, world.hidden] : [world.hidden, world.shown]
  for (const [id, known] of from) {
    if (!isOld(known)) continue
    from.delete(id)
    to.set(id, known)
  }
})

const read = stepOf(
  'read',
  fc.record({ follower: seed, count: fc.integer({ min: 1, max: 4 }) }),
  async (input, world) => {
    const follower = pick(world.followers, input.follower)
    if (follower) await readPage(world, follower, input.count)
  },
)

/** One call of the documented loop; false while pages wait. */
export async function readPage(world: World, follower: Follower, count: number): Promise<boolean> {
  const cursor = follower.pages.at(-1)?.next_cursor ?? follower.cursor
  const account_id = follower.account && world.item.accounts[follower.account]
  const { status, body } = await world.tenant.post('/transactions/sync', {
    ...bodyOf(world),
    cursor,
    count,
    ...(account_id ? { account_id } : {}),
  })
  if (status !== 200) {
    expect(body['error_code']).toBe('TRANSACTIONS_SYNC_MUTATION_DURING_PAGINATION')
    // Only ever between pages: a finished cursor works.
    expect(follower.pages.length).toBeGreaterThan(0)
    follower.pages = []
    world.mutations += 1
    return false
  }
  const page = body as unknown as Page
  const updates = page.added.length + page.modified.length + page.removed.length
  expect(updates).toBeLessThanOrEqual(count)
  follower.pages.push(page)
  if (page.has_more) return false
  store(follower)
  expectTruth(world, follower)
  return true
}

/** Applies an update strictly: what is new was unknown, what changes or goes was known. */
function store(follower: Follower): void {
  const { stored, pages } = follower
  for (const { added, modified, removed } of pages) {
    for (const one of added) {
      expect(stored.has(one.transaction_id)).toBe(false)
      stored.set(one.transaction_id, toKnown(one))
    }
    for (const one of modified) {
      expect(stored.has(one.transaction_id)).toBe(true)
      stored.set(one.transaction_id, toKnown(one))
    }
    for (const one of removed) expect(stored.delete(one.transaction_id)).toBe(true)
  }
  follower.cursor = pages.at(-1)?.next_cursor ?? null
  follower.pages = []
}

const sorted = (list: Iterable<[string, Known]>) => [...list].sort(([a], [b]) => (a < b ? -1 : 1))

function expectTruth(world: World, { account: name, stored }: Follower): void {
  const account_id = name && world.item.accounts[name]
  const truth = [...world.shown].filter(([, known]) => !name || known.account === account_id)
  expect(sorted(stored)).toEqual(sorted(truth))
}

const newFollower = (name: AccountName | null): Follower => ({
  account: name,
  cursor: null,
  stored: new Map(),
  pages: [],
})

/** An Item that everyone has yet to read. */
export async function newWorld(service: TestService): Promise<World> {
  const tenant = await service.tenant()
  const known = [
    { amount: 1, date: today },
    { amount: 2, date: daysAgo(50) },
  ]
  const item = await insertReadyItem(service, tenant, known, { webhook: null })
  const account = String(item.accounts['checking'])
  const shown = item.ids.map((id, index): [string, Known] => [
    id,
    { account, pending: false, amount: index + 1, date: known[index]?.date ?? today },
  ])
  return {
    service,
    tenant,
    item,
    shown: new Map(shown),
    hidden: new Map(),
    isInitial: false,
    followers: [null, null, ...accountNames].map(newFollower),
    renames: 0,
    mutations: 0,
  }
}

/** What can happen, in any order. */
export const steps = fc.array(
  fc.oneof(
    { weight: 4, arbitrary: create },
    { weight: 3, arbitrary: change },
    { weight: 2, arbitrary: post },
    { weight: 3, arbitrary: remove },
    { weight: 2, arbitrary: refresh },
    { weight: 1, arbitrary: rename },
    { weight: 1, arbitrary: toggleStatus },
    { weight: 14, arbitrary: read },
  ),
  { minLength: 20, maxLength: 60, size: 'max' },
)
