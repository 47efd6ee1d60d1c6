import { setImmediate as nextTurn } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { createKeptRows } from '../../src/server/db/kept-rows.ts'
import { openSqlite } from '../../src/server/db/sqlite.ts'

const sql = 'select name from things where name = $1'

async function openThings() {
  const database = openSqlite(':memory:')
  await database.transaction((db) => db.run('create table things (name text)'))
  const find = () => database.single.all(sql, ['a'])
  /** Nothing is kept before the turn in which something was written is over. */
  const write = async (statement: string) => {
    await database.transaction((db) => db.run(statement))
    await nextTurn()
  }
  return { database, find, write }
}

test('rows are kept until something is written', async () => {
  const { database, find, write } = await openThings()
  await write("insert into things values ('a')")
  const before = await find()
  expect((await find())[0]).toBe(before[0])
  await write("delete from things where name = 'a'")
  expect(await find()).toEqual([])
  await database.close()
})

test('what is asked while others write sees what they have written, and is not kept', async () => {
  const { database, find, write } = await openThings()
  const [, found] = await Promise.all([
    write("insert into things values ('a')"),
    nextTurn().then(find),
  ])
  expect([0, 1]).toContain(found.length)
  expect(await find()).toEqual([{ name: 'a' }])
  await database.close()
})

test('rows that are kept cannot be changed', async () => {
  const { database, find, write } = await openThings()
  await write("insert into things values ('a')")
  expect(Object.isFrozen((await find())[0])).toBe(true)
  await database.close()
})

test('failures are not kept, and only so many rows are', async () => {
  const kept = createKeptRows()
  const failing = () => Promise.reject(new Error('away'))
  await expect(kept.find(sql, ['a'], failing)).rejects.toThrow('away')
  let readings = 0
  const read = async () => {
    readings += 1
    return []
  }
  for (let value = 0; value < 1001; value += 1) await kept.find(sql, [String(value)], read)
  await kept.find(sql, ['0'], read)
  expect(readings).toBe(1002)
})

test('what is longer than any id is not kept, nor what names nothing', async () => {
  const kept = createKeptRows()
  let readings = 0
  const read = async () => {
    readings += 1
    return []
  }
  for (const values of [['x'.repeat(2000)], []]) {
    await kept.find(sql, values, read)
    await kept.find(sql, values, read)
  }
  expect(readings).toBe(4)
})
