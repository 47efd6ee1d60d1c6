import { setImmediate as nextTurn } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { createReadCache } from '../../src/server/db/read-cache.ts'
import { openSqlite } from '../../src/server/db/sqlite.ts'

const sql = 'select name from things where name = $1'

async function openThings() {
  const database = openSqlite(':memory:')
  await database.transaction((db) => db.run('create table things (name text)'))
  const find = () => database.single.all(sql, ['a'])
  /** Nothing is cached before the turn in which something was written is over. */
  const write = async (statement: string) => {
    await database.transaction((db) => db.run(statement))
    await nextTurn()
  }
  return { database, find, write }
}

test('rows are cached until something is written', async () => {
  const { database, find, write } = await openThings()
  await write("insert into things values ('a')")
  const before = await find()
  expect((await find())[0]).toBe(before[0])
  await write("delete from things where name = 'a'")
  expect(await find()).toEqual([])
  await database.close()
})

test('what is asked while others write sees what they have written, and is not cached', async () => {
  const { database, find, write } = await openThings()
  const [, found] = await Promise.all([
    write("insert into things values ('a')"),
    nextTurn().then(find),
  ])
  expect([0, 1]).toContain(found.length)
  expect(await find()).toEqual([{ name: 'a' }])
  await database.close()
})

test('rows that are cached cannot be changed', async () => {
  const { database, find, write } = await openThings()
  await write("insert into things values ('a')")
  expect(Object.isFrozen((await find())[0])).toBe(true)
  await database.close()
})

test('failures are not cached, and only so many rows are', async () => {
  const cache = createReadCache()
  const failing = () => Promise.reject(new Error('away'))
  await expect(cache.find(sql, ['a'], failing)).rejects.toThrow('away')
  let readings = 0
  const read = async () => {
    readings += 1
    return []
  }
  for (let value = 0; value < 1001; value += 1) await cache.find(sql, [String(value)], read)
  await cache.find(sql, ['0'], read)
  expect(readings).toBe(1002)
})

test('statements with values longer than any id, or without values, are not cached', async () => {
  const cache = createReadCache()
  let readings = 0
  const read = async () => {
    readings += 1
    return []
  }
  for (const values of [['x'.repeat(2000)], []]) {
    await cache.find(sql, values, read)
    await cache.find(sql, values, read)
  }
  expect(readings).toBe(4)
})
