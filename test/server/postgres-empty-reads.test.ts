import { setImmediate as nextTurn } from 'node:timers/promises'
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

test('work that asks for nothing leaves nothing to the next user of its connection', async () => {
  const empty = () => database.read(async () => 'nothing')
  const write = () =>
    database.transaction(async ({ run, first }) => {
      await run("insert into settings (name, value) values ('note', 'kept')")
      return first<{ level: string }>("select current_setting('transaction_isolation') as level")
    })
  const reading = empty()
  // So the read has begun, and the server has not answered yet.
  await nextTurn()
  const [, row] = await Promise.all([reading, write()])
  expect(row?.level).toBe('serializable')
})
