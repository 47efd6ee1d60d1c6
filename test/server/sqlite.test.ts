import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import type { Database } from '../../src/server/db/database.ts'
import { openSqlite } from '../../src/server/db/sqlite.ts'

let folder: string
let file: string
let database: Database
beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'sqlite-'))
  file = join(folder, 'data.sqlite')
  database = openSqlite(file)
  await database.transaction(({ run }) =>
    run('create table note (id integer primary key, text text)'),
  )
})
afterEach(async () => {
  await database.close()
  rmSync(folder, { recursive: true })
})

const insert = (id: number, text: string) =>
  database.transaction(({ run }) => run('insert into note (id, text) values ($1, $2)', [id, text]))
const texts = () =>
  database.read(async ({ all }) => {
    const rows = await all<{ text: string }>('select text from note order by id')
    return rows.map(({ text }) => text)
  })

describe('a transaction', () => {
  test('is seen when it has ended', async () => {
    expect(await insert(1, 'one')).toBe(1)
    expect(await texts()).toEqual(['one'])
  })

  test('leaves no trace when it throws, while those beside it stay', async () => {
    const failing = database.transaction(async ({ run }) => {
      await run('insert into note (id, text) values ($1, $2)', [2, 'two'])
      throw new Error('no')
    })
    const results = await Promise.allSettled([insert(1, 'one'), failing, insert(3, 'three')])
    expect(results.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled'])
    expect(await texts()).toEqual(['one', 'three'])
  })

  test('sees what those before it wrote, one after the other', async () => {
    const add = () =>
      database.transaction(async ({ first, run }) => {
        const row = await first<{ next: number }>(
          'select coalesce(max(id), 0) + 1 as next from note',
        )
        await run('insert into note (id, text) values ($1, $2)', [row?.next ?? 0, 'note'])
        return row?.next
      })
    expect(await Promise.all([add(), add(), add()])).toEqual([1, 2, 3])
  })

  test('takes one value in several places', async () => {
    const row = await database.read(({ first }) =>
      first<{ same: number }>('select $2 = $1 and $1 = $1 as same', ['a', 'a']),
    )
    expect(row?.same).toBe(1)
  })
})

describe('the file', () => {
  test('keeps its rows', async () => {
    await insert(1, 'one')
    await database.close()
    database = openSqlite(file)
    expect(await texts()).toEqual(['one'])
  })

  test('is refused while another process holds it, in words that help', () => {
    expect(() => openSqlite(file)).toThrow(/in use by another process.*--data/)
  })
})
