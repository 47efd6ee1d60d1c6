import {
  chmodSync,
  mkdtempSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { type EmbeddedDatabase, openSqlite } from '../../src/server/db/sqlite.ts'
import {
  DatabaseUnavailable,
  type Queries,
  WritesRejected,
} from '../../src/server/kernel/database.ts'

let folder: string
let file: string
let database: EmbeddedDatabase
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

describe('transactions that share a commit without savepoints', () => {
  const insertKnown = (id: number, text: string) =>
    database.transaction(({ run }) =>
      run('insert into note (id, text) values ($1, $2)', [id, text]),
    )
  beforeEach(() => insertKnown(1, 'known'))

  test('leaves no trace when it throws after it has written', async () => {
    const failing = database.transaction(async ({ run }) => {
      await run('insert into note (id, text) values ($1, $2)', [3, 'three'])
      throw new Error('no')
    })
    const results = await Promise.allSettled([
      insertKnown(2, 'two'),
      failing,
      insertKnown(4, 'four'),
    ])
    expect(results.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled'])
    expect(await texts()).toEqual(['known', 'two', 'four'])
  })

  test('leaves no trace when one of its statements at the same time changes nothing', async () => {
    const failing = database.transaction(async ({ run }) => {
      await Promise.all([
        run('delete from note where id = $1', [99]),
        run('insert into note (id, text) values ($1, $2)', [2, 'two']),
      ])
      throw new Error('no')
    })
    await expect(failing).rejects.toThrow('no')
    expect(await texts()).toEqual(['known'])
  })

  test('runs once when it fails alone', async () => {
    let runs = 0
    const failing = database.transaction(async ({ run }) => {
      runs += 1
      await run('insert into note (id, text) values ($1, $2)', [2, 'two'])
      throw new Error('no')
    })
    await expect(failing).rejects.toThrow('no')
    expect(runs).toBe(1)
    expect(await texts()).toEqual(['known'])
  })

  test('leaves no trace when its statement fails, while those beside it stay', async () => {
    const results = await Promise.allSettled([
      insertKnown(2, 'two'),
      insertKnown(1, 'again'),
      insertKnown(3, 'three'),
    ])
    expect(results.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled'])
    expect(await texts()).toEqual(['known', 'two', 'three'])
  })

  test.each([
    ['fails after it', true],
    ['succeeds', false],
  ])('may write twice all the same, and %s', async (_what, fails) => {
    const twice = database.transaction(async ({ run }) => {
      await run('insert into note (id, text) values ($1, $2)', [3, 'three'])
      await run('insert into note (id, text) values ($1, $2)', [4, 'four'])
      if (fails) throw new Error('no')
    })
    const results = await Promise.allSettled([insertKnown(2, 'two'), twice, insertKnown(5, 'five')])
    expect(results.map(({ status }) => status)).toEqual([
      'fulfilled',
      fails ? 'rejected' : 'fulfilled',
      'fulfilled',
    ])
    expect(await texts()).toEqual(['known', 'two', ...(fails ? [] : ['three', 'four']), 'five'])
  })

  test('writes all of it whatever it makes of a statement that is rejected', async () => {
    await database.transaction(async ({ run }) => {
      await run('insert into note (id, text) values ($1, $2)', [2, 'two'])
      await run('insert into note (id, text) values ($1, $2)', [3, 'three']).catch(() => {})
    })
    expect(await texts()).toEqual(['known', 'two', 'three'])
  })
})

describe('a transaction that the engine undoes', () => {
  // As it does by itself where a disk is full or fails.
  const undo = ({ run }: Queries) => run('rollback')

  test('takes those beside it along, and the next one succeeds', async () => {
    const results = await Promise.allSettled([
      insert(1, 'one'),
      database.transaction(undo),
      insert(3, 'three'),
    ])
    expect(results.map(({ status }) => status)).toEqual(['rejected', 'rejected', 'rejected'])
    expect(await texts()).toEqual([])
    expect(await insert(4, 'four')).toBe(1)
    expect(await texts()).toEqual(['four'])
  })

  test('does so also where its work goes on and succeeds, so that no half of it stays', async () => {
    const half = database.transaction(async (queries) => {
      await queries.run('insert into note (id, text) values ($1, $2)', [1, 'first half'])
      await undo(queries)
      await queries.run('select 1')
    })
    await expect(half).rejects.toBeInstanceOf(DatabaseUnavailable)
    expect(await texts()).toEqual([])
  })

  test('lets those read that only wanted to read, without what is undone', async () => {
    const [, read] = await Promise.allSettled([
      database.transaction(async (queries) => {
        await queries.run('insert into note (id, text) values ($1, $2)', [1, 'one'])
        await undo(queries)
      }),
      texts(),
    ])
    expect(read).toEqual({ status: 'fulfilled', value: [] })
  })
})

describe('a store without room', () => {
  const pages = (count: number) =>
    database.transaction(({ first }) => first(`pragma max_page_count = ${count}`))
  const large = 'x'.repeat(100_000)

  test('rejects what does not fit as something that passes, and goes on', async () => {
    await insert(1, 'one')
    await pages(10)
    const rejected = insert(2, large)
    await expect(rejected).rejects.toBeInstanceOf(DatabaseUnavailable)
    await expect(rejected).rejects.toThrow(`${file} cannot be used now: its disk is full`)
    expect(await texts()).toEqual(['one'])
    await pages(1000)
    expect(await insert(2, large)).toBe(1)
  })
})

describe('a copy', () => {
  test('is made while transactions go on, and holds what was there when it began', async () => {
    let isOver = false
    const writing = (async () => {
      for (let id = 0; !isOver; id += 1) await insert(id, 'x'.repeat(10_000))
    })()
    while ((await texts()).length < 20) await insert(-1 - (await texts()).length, 'before')
    const before = (await texts()).length
    const copy = join(folder, 'copy.sqlite')
    await database.backup(copy)
    isOver = true
    await writing
    const copied = openSqlite(copy)
    const [counted] = await copied.single.all<{ found: number }>(
      'select count(*) as found from note',
    )
    expect(counted?.found).toBeGreaterThanOrEqual(before)
    await copied.close()
  })

  test('that cannot be made is an error in one line', async () => {
    const nowhere = join(folder, 'nowhere/copy.sqlite')
    await expect(database.backup(nowhere)).rejects.toThrow(`${nowhere} cannot be used`)
    expect(await insert(1, 'one')).toBe(1)
  })
})

describe('the file', () => {
  test("is its owner's only, whatever the mode of its folder, and so is its log", async () => {
    chmodSync(folder, 0o755)
    await insert(1, 'one')
    expect([file, `${file}-wal`].map((name) => statSync(name).mode & 0o777)).toEqual([0o600, 0o600])
  })

  test.each(['deleted', 'replaced'])(
    'takes no writes once it was %s: they would be lost',
    async (how) => {
      await insert(1, 'one')
      renameSync(file, `${file}.old`)
      if (how === 'replaced') writeFileSync(file, '')
      await expect
        .poll(() => insert(Date.now(), 'more').catch((error: unknown) => error), {
          timeout: 10_000,
        })
        .toBeInstanceOf(WritesRejected)
      expect((await texts())[0]).toBe('one')
    },
  )

  test('is rejected when one of its pages is damaged', async () => {
    for (let id = 0; id < 50; id += 1) await insert(id, 'x'.repeat(1000))
    await database.close()
    const bytes = readFileSync(file)
    bytes.fill(0xa5, 3 * 4096, 3 * 4096 + 200)
    writeFileSync(file, bytes)
    expect(() => openSqlite(file)).toThrow(`${file} cannot be used: it is damaged`)
    rmSync(file)
    database = openSqlite(file)
  })

  test('keeps its rows', async () => {
    await insert(1, 'one')
    await database.close()
    database = openSqlite(file)
    expect(await texts()).toEqual(['one'])
  })

  test('is rejected while another process holds it, in words that help', () => {
    expect(() => openSqlite(file)).toThrow(/in use by another process.*--data/)
  })
})

test('a statement with a bound limit is planned once', async () => {
  const prepare = vi.spyOn(DatabaseSync.prototype, 'prepare')
  let planned = 0
  const list = (most: number) =>
    database.read(({ all }) => all('select id from note limit $1', [most]))
  await insert(1, 'one')
  await insert(2, 'two')
  expect(await list(1)).toHaveLength(1)
  const connection = prepare.mock.contexts[0] as DatabaseSync
  prepare.mockRestore()
  // The engine asks it about everything that a statement reads, whenever it plans the statement.
  connection.setAuthorizer(() => {
    planned += 1
    return 0
  })
  expect(await list(2)).toHaveLength(2)
  // Once, since there is somebody to be asked.
  expect(planned).toBeGreaterThan(0)
  planned = 0
  expect(await list(1)).toHaveLength(1)
  expect(planned).toBe(0)
})
