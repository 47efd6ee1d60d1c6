import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { type EmbeddedDatabase, openSqlite } from '../../src/server/db/sqlite.ts'

let folder: string
let database: EmbeddedDatabase
beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'copy-'))
  database = openSqlite(join(folder, 'data.sqlite'))
  await database.transaction(({ run }) => run('create table rows (bytes blob)'))
})
afterEach(async () => {
  await database.close()
  rmSync(folder, { recursive: true })
})

const megabyte = 1_000_000
const write = (bytes: number) =>
  database.transaction(({ run }) => run('insert into rows values (zeroblob($1))', [bytes]))
const count = async (file: string): Promise<number> => {
  const copy = openSqlite(file)
  const row = await copy.single.first<{ rows: number }>('select count(*) as rows from rows')
  await copy.close()
  return row?.rows ?? 0
}

test('a copy is made although more is written meanwhile than a step of it copies', async () => {
  for (let made = 0; made < 20; made += 1) await write(megabyte)
  let isMade = false
  let written = 0
  const goOn = async () => {
    // Without an end, if the copy has none; four writers fill several steps of a copy at once.
    while (!isMade && written < 1000) {
      await write(megabyte)
      written += 1
    }
  }
  const writers = [goOn(), goOn(), goOn(), goOn()]
  await database.backup(join(folder, 'copy.sqlite'))
  isMade = true
  await Promise.all(writers)
  expect(written).toBeLessThan(200)
  expect(await count(join(folder, 'copy.sqlite'))).toBeGreaterThanOrEqual(20)
})

test('reads go on while a write waits for a copy to come nearer to its end', async () => {
  for (let made = 0; made < 20; made += 1) await write(megabyte)
  const copying = database.backup(join(folder, 'copy.sqlite'))
  const writing = write(10 * megabyte)
  const rows = await database.read(({ first }) =>
    first<{ rows: number }>('select count(*) as rows from rows'),
  )
  expect(rows?.rows).toBeGreaterThanOrEqual(20)
  await Promise.all([copying, writing])
})

test('a copy that fails blocks no reader or writer', async () => {
  await write(megabyte)
  const failing = database.backup(join(folder, 'nowhere', 'copy.sqlite'))
  await expect(Promise.all([failing, write(1)])).rejects.toThrow()
  await write(1)
})
