import { afterAll, beforeAll, expect, test } from 'vitest'
import { openPostgres } from '../../src/server/db/postgres.ts'
import type { Database } from '../../src/server/kernel/database.ts'
import { createDatabase, type Place } from '../support/engine.ts'

let place: Place
let database: Database
beforeAll(async () => {
  place = await createDatabase()
  database = await openPostgres(`${place.address}&max=1`)
})
afterAll(async () => {
  await database.close()
  await place.remove()
})

const sql = 'select value from settings where name = $1'

/** The plan that the one connection keeps for the statement. */
async function keptPlan(): Promise<string> {
  const [prepared] = await database.single.all<{ name: string; plans: number }>(
    'select name, generic_plans as plans from pg_prepared_statements where statement = $1',
    [sql],
  )
  expect(prepared?.plans).toBeGreaterThan(0)
  const rows = await database.transaction(({ all }) =>
    all<{ 'QUERY PLAN': string }>(`explain execute "${prepared?.name}" ('one')`),
  )
  return rows.map((row) => row['QUERY PLAN']).join('\n')
}

test('a plan that is kept from when a table was small is one for a large table, too', async () => {
  await database.transaction(({ run }) =>
    run("insert into settings (name, value) values ('one', '1'), ('two', '2')"),
  )
  await database.transaction(({ run }) => run('analyze settings'))
  for (let times = 0; times < 10; times += 1) await database.single.first(sql, ['one'])
  expect(await keptPlan()).toContain('Index Scan using settings_pkey')
})
