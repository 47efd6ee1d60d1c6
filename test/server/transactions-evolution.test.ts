import fc from 'fast-check'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Transaction } from '#contract/types.ts'
import { link } from '../support/items-fixtures.ts'
import { startService, type Tenant, type TestService } from '../support/service.ts'
import { settle } from '../support/transactions-fixtures.ts'

let service: TestService

beforeAll(async () => {
  // The last day of the year before a leap day.
  service = await startService({ clock: () => Date.parse('2027-12-30T12:00:00Z') })
})
afterAll(() => service.close())

interface Reader {
  tenant: Tenant
  access_token: string
  cursor: string
  stored: Map<string, Transaction>
}

/** One whole update by the documented loop: all pages, again from the first after a mutation. */
async function update(reader: Reader, count: number, between: () => Promise<void>): Promise<void> {
  const { tenant, access_token } = reader
  for (let tries = 0; ; tries += 1) {
    const pages = []
    let cursor = reader.cursor
    for (;;) {
      const { data, error } = await tenant.api.transactionsSync({ access_token, cursor, count })
      if (error) {
        expect(error).toMatchObject({ error_code: 'TRANSACTIONS_SYNC_MUTATION_DURING_PAGINATION' })
        break
      }
      pages.push(data)
      cursor = data.next_cursor
      if (!data.has_more) return keep(reader, pages)
      if (tries === 0 && pages.length === 1) await between()
    }
  }
}

type Page = NonNullable<Awaited<ReturnType<Tenant['api']['transactionsSync']>>['data']>

function keep(reader: Reader, pages: readonly Page[]): void {
  const { stored } = reader
  for (const { added, modified, removed } of pages) {
    for (const one of added) {
      expect(stored.has(one.transaction_id)).toBe(false)
      stored.set(one.transaction_id, one)
    }
    for (const one of modified) {
      expect(stored.has(one.transaction_id)).toBe(true)
      stored.set(one.transaction_id, one)
    }
    for (const one of removed) expect(stored.delete(one.transaction_id)).toBe(true)
  }
  reader.cursor = pages.at(-1)?.next_cursor ?? ''
}

/** Everything that `/transactions/get` lists, by its pages. */
async function list({ tenant, access_token }: Reader): Promise<Transaction[]> {
  const found: Transaction[] = []
  for (;;) {
    const { data, error } = await tenant.api.transactionsGet({
      access_token,
      start_date: '0000-01-01',
      end_date: '9999-12-31',
      options: { count: 500, offset: found.length },
    })
    if (error) throw new Error(JSON.stringify(error))
    found.push(...data.transactions)
    if (found.length >= data.total_transactions) return found
  }
}

const byId = (a: Transaction, b: Transaction) => (a.transaction_id < b.transaction_id ? -1 : 1)

/** What can happen between two updates. */
const happening = fc.oneof(
  fc.record({ days: fc.integer({ min: 0, max: 40 }) }),
  fc.record({ renamed: fc.integer({ min: 0, max: 3 }) }),
  fc.record({ closed: fc.integer({ min: 0, max: 3 }) }),
  fc.record({ posted: fc.boolean(), removed: fc.boolean() }),
  fc.constant({ refreshed: true }),
)

type Happening = typeof happening extends fc.Arbitrary<infer Value> ? Value : never

/** What happens, and everything that it makes due: what the background did later would be another state. */
async function happen(reader: Reader, what: Happening, index: number): Promise<void> {
  await change(reader, what, index)
  await settle(reader.tenant)
}

async function change({ tenant, access_token }: Reader, what: Happening, index: number) {
  if ('days' in what) {
    await tenant.control('sandboxClockAdvance', { seconds: what.days * 86_400 })
  } else if ('refreshed' in what) {
    await tenant.api.transactionsRefresh({ access_token })
  } else if ('posted' in what) {
    await meddle(tenant, access_token, what)
  } else {
    const { data } = await tenant.api.accountsGet({ access_token })
    const place = 'renamed' in what ? what.renamed : what.closed
    // One account stays open.
    const account_id = data?.accounts[1 + place]?.account_id
    if (!account_id) return
    const field = 'renamed' in what ? { name: `Renamed ${index}` } : { closed: true }
    await tenant.control('sandboxAccountUpdate', { access_token, account_id, ...field })
  }
}

/** Posts or removes pending transactions before the institution does. */
async function meddle(
  tenant: Tenant,
  access_token: string,
  { posted, removed }: { posted: boolean; removed: boolean },
): Promise<void> {
  const { data } = await tenant.api.transactionsGet({
    access_token,
    start_date: '0000-01-01',
    end_date: '9999-12-31',
    options: { count: 20 },
  })
  const [first, second] = (data?.transactions ?? []).filter(({ pending }) => pending)
  if (posted && first) {
    const { transaction_id } = first
    const change = { access_token, transaction_id, pending: false }
    await tenant.control('sandboxTransactionsUpdate', change)
  }
  if (removed && second) {
    const transaction_ids = [second.transaction_id]
    await tenant.control('sandboxTransactionsRemove', { access_token, transaction_ids })
  }
}

test('sync ends with what get lists, however the clock moves and accounts change', {
  timeout: 240_000,
}, async () => {
  const run = fc.record({
    happenings: fc.array(fc.record({ what: happening, during: happening }), {
      minLength: 2,
      maxLength: 7,
    }),
    count: fc.constantFrom(1, 37, 100, 500),
  })
  await fc.assert(
    fc.asyncProperty(run, async ({ happenings, count }) => {
      const tenant = await service.tenant()
      const transactions = { days_requested: 60 }
      const { access_token } = await link(tenant, {
        initial_products: ['transactions'],
        options: { transactions },
      })
      // The first pulls are jobs: the background would else show more between two reads.
      await settle(tenant)
      const reader: Reader = { tenant, access_token, cursor: '', stored: new Map() }
      for (const [index, { what, during }] of happenings.entries()) {
        await happen(reader, what, 2 * index)
        await update(reader, count, () => happen(reader, during, 2 * index + 1))
        const listed = await list(reader)
        expect([...reader.stored.values()].sort(byId)).toEqual(listed.sort(byId))
        for (const { amount } of listed) expect(amount).toBe(Math.round(amount * 100) / 100)
      }
    }),
    { numRuns: 10 },
  )
})
