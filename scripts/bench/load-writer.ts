import type { Value } from '../../src/server/kernel/database.ts'
import { newId } from '../../src/server/kernel/ids.ts'
import { columnsOf, drawIds, fill, type Stencil } from './load-copy.ts'
import { type ItemTable, itemTables, type Template } from './load-template.ts'
import type { LoadedClient, LoadedItem, Loading } from './load-world.ts'

/** Rows that are made, and then written, together. */
const portion = 10_000

type Tables = Record<ItemTable, Value[][]>
const noRows = (): Tables => ({ items: [], accounts: [], transactions: [] })

/** Writes copies of Items. */
export interface Writer {
  /** Writes one with at least so many transactions: those of all these stencils, in turn. */
  copy(
    client: LoadedClient,
    stencils: readonly [Stencil, ...Stencil[]],
    least: number,
  ): Promise<LoadedItem>
  finish(): Promise<void>
  /** How many transactions there are. */
  written(): number
}

export function createWriter(
  { sink, keys, size, onProgress }: Loading,
  [template]: readonly Template[],
): Writer {
  if (!template) throw new Error('there is no template')
  const start = performance.now()
  const columns = columnsOf(template)
  let waiting = noRows()
  let written = 0
  let writing = Promise.resolve()

  /** Lets the store write while the next rows are made. */
  async function flush(): Promise<void> {
    await writing
    const [tables, done] = [waiting, written]
    waiting = noRows()
    writing = write(tables).then(() => tell(done))
    // Whoever waits for it next is told.
    writing.catch(() => {})
  }

  async function write(tables: Tables): Promise<void> {
    for (const table of itemTables) await sink.write(table, columns[table], tables[table])
  }

  function tell(done: number): void {
    const perSecond = done / ((performance.now() - start) / 1000)
    const secondsLeft = Math.max(0, size - done) / perSecond
    onProgress?.({ done, total: size, perSecond, secondsLeft })
  }

  return {
    async copy(client, stencils, least) {
      const [{ shared, tables, changes }] = stencils
      const access_token = newId('access_token', 'sandbox')
      const own = { clientId: client.clientId, accessToken: access_token, keys }
      const ids = drawIds(stencils[0])
      let [before, count] = [0, 0]
      for (let turn = 0; count < least; turn += 1) {
        const stencil = stencils[turn % stencils.length] as Stencil
        if (stencil.shared !== shared) throw new Error('the templates differ in their accounts')
        const its = turn === 0 ? ids : drawIds(stencil, ids)
        const rows = fill(stencil.tables.transactions, { ...own, ids: its, before })
        before += stencil.changes
        count += rows.length
        written += rows.length
        waiting.transactions.push(...rows)
        if (waiting.transactions.length >= portion) await flush()
      }
      // The Item's row counts its own changes already.
      const whole = { ...own, ids, before: before - changes }
      waiting.items.push(...fill(tables.items, whole))
      waiting.accounts.push(...fill(tables.accounts, whole))
      return { ...client, access_token, transactions: count }
    },
    async finish() {
      await flush()
      await writing
    },
    written: () => written,
  }
}
