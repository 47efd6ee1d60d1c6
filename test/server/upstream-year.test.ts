import { expect, test } from 'vitest'
import { compare, listShown, type Mishap, startPair } from '../support/upstream-ground.ts'

// One service reads an Item of another one for a year, in which much goes wrong on the way.

const mishaps: readonly (readonly Mishap[])[] = [
  ['cut'],
  ['reset'],
  ['html'],
  [{ status: 500 }],
  [{ status: 503 }],
  [{ status: 429, retryAfter: 3600 }],
]

test('in a year nothing is lost and nothing doubled', { timeout: 120_000 }, async () => {
  const pair = await startPair()
  const { theirs, tenant } = pair
  const { item_id, access_token } = await pair.link()
  const { access_token: there } = await pair.secretOf(item_id)
  await pair.pull(item_id)
  const figures = { reads: 0, failures: 0, restarts: 0, changed: 0, rows: 0 }
  const steps = 52
  for (let step = 0; step < steps; step += 1) {
    await pair.advance(7)
    if (step % 4 === 1) figures.changed += await change(there)
    const before = step % 3 === 0 ? await listShown(tenant, access_token) : undefined
    if (before) {
      // Each at another request of a read.
      const ok = Array.from({ length: step % 4 }, () => undefined as never)
      pair.mishaps = [...ok, ...(mishaps[step % mishaps.length] ?? [])]
      const failure = await pair.pull(item_id)
      figures.failures += failure === undefined ? 0 : 1
      expect(pair.mishaps).toEqual([])
      if (failure) expect(await listShown(tenant, access_token)).toEqual(before)
    }
    if (step % 10 === 5) {
      await pair.restart()
      figures.restarts += 1
    }
    expect(await pair.pull(item_id)).toBeUndefined()
    figures.reads += 1
  }
  const [told, shown] = [await listShown(theirs, there), await listShown(tenant, access_token)]
  figures.rows = told.rows.length
  console.log(JSON.stringify({ ...figures, calls: pair.calls.length }))
  expect(compare(told.rows, shown.rows)).toEqual({ lost: [], doubled: [] })
  // A row that was pending and posted between two reads was never seen pending here.
  expect(compare(told.replacing, shown.replacing).doubled).toEqual([])
  expect(shown.replacing.length).toBeGreaterThan(0)
  expect(shown.balances).toEqual(told.balances)
  expect(figures.failures).toBeGreaterThan(10)
  await pair.close()

  /** Rows are changed, removed and added there, also old ones. */
  async function change(access: string): Promise<number> {
    const { added } = await theirs.api
      .transactionsSync({ access_token: access, count: 500 })
      .orThrow()
    const posted = added.filter(({ pending }) => !pending)
    const [one, other] = [posted[0], posted[Math.floor(posted.length / 2)]]
    if (!one || !other) return 0
    const { transaction_id } = one
    await theirs.control('sandboxTransactionsUpdate', {
      ...{ access_token: access, transaction_id, amount: 12.34, description: 'LANTERN REPAIRED' },
    })
    await theirs.control('sandboxTransactionsRemove', {
      access_token: access,
      transaction_ids: [other.transaction_id],
    })
    return 2
  }
})
