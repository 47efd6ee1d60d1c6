import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { migrate } from '../../src/server/db/migrate.ts'
import { openPostgres } from '../../src/server/db/postgres.ts'
import type { Database, Queries } from '../../src/server/kernel/database.ts'
import { createDatabase, type Place } from '../support/engine.ts'
import { asAdmin, urlOf } from '../support/postgres-server.ts'

let place: Place
let database: Database
let other: Database
beforeAll(async () => {
  place = await createDatabase()
})
afterAll(() => place.remove())
beforeEach(async () => {
  database = await openPostgres(place.address)
  other = await openPostgres(place.address)
  await database.exclusive(({ run }) =>
    run('create table note (id bigint primary key, text text, big bigint)'),
  )
})
afterEach(async () => {
  await database.exclusive(({ run }) => run('drop table note'))
  await database.close()
  await other.close()
})

const insert = (on: Database, id: number, text: string) =>
  on.transaction(({ run }) => run('insert into note (id, text) values ($1, $2)', [id, text]))
const texts = async () => {
  const rows = await database.single.all<{ text: string }>('select text from note order by id')
  return rows.map(({ text }) => text)
}
const addNext = (on: Database) =>
  on.transaction(async ({ first, run }) => {
    const row = await first<{ next: number }>('select coalesce(max(id), 0) + 1 as next from note')
    await run('insert into note (id, text) values ($1, $2)', [row?.next ?? 0, 'note'])
    return row?.next
  })
const numbers = (count: number) => Array.from({ length: count }, (_, index) => index + 1)

/** Ends every other connection to the database, as a server does that restarts. */
const cutOthers = ({ run }: Queries) =>
  run(`select pg_terminate_backend(pid) from pg_stat_activity
    where datname = current_database() and pid <> pg_backend_pid()`)

describe('a transaction', () => {
  test('leaves no trace when it throws', async () => {
    const failing = database.transaction(async ({ run }) => {
      await run('insert into note (id, text) values ($1, $2)', [1, 'one'])
      throw new Error('no')
    })
    await expect(failing).rejects.toThrow('no')
    expect(await texts()).toEqual([])
  })

  test('fails as a whole when a statement fails, even if the error is caught', async () => {
    const careless = database.transaction(async ({ run }) => {
      await run('insert into note (id, text) values ($1, $2)', [1, 'one'])
      await run('select nothing from nowhere').catch(() => {})
      return 'done'
    })
    await expect(careless).rejects.toThrow('"nowhere" does not exist')
    expect(await texts()).toEqual([])
  })

  test('is as if it were alone, however many conclude from the same rows', async () => {
    const added = await Promise.all(
      numbers(40).map((number) => addNext(number % 2 ? database : other)),
    )
    expect(added.sort((a = 0, b = 0) => a - b)).toEqual(numbers(40))
  })

  test('gives way when two wait for each other, and succeeds then', async () => {
    await insert(database, 1, '')
    await insert(database, 2, '')
    const append = (on: Database, ids: readonly number[], text: string) =>
      on.transaction(async ({ run }) => {
        for (const id of ids) {
          await run('update note set text = text || $2 where id = $1', [id, text])
        }
      })
    await Promise.all([append(database, [1, 2], 'a'), append(other, [2, 1], 'b')])
    const [one, two] = await texts()
    expect(one).toBe(two)
    expect(one?.split('').sort()).toEqual(['a', 'b'])
  })

  test('of work that asks for several things at once has them all', async () => {
    await database.transaction(({ run }) =>
      Promise.all(
        numbers(5).map((id) => run('insert into note (id, text) values ($1, $2)', [id, 'x'])),
      ),
    )
    expect(await texts()).toHaveLength(5)
  })

  test('is begun again when its connection is lost, and happens once', async () => {
    let tries = 0
    await database.transaction(async ({ run }) => {
      tries += 1
      await run('insert into note (id, text) values ($1, $2)', [tries, 'note'])
      if (tries === 1) await other.transaction(cutOthers)
      await run('insert into note (id, text) values ($1, $2)', [tries + 10, 'note'])
    })
    const rows = await other.single.all<{ id: number }>('select id from note order by id')
    expect(rows).toEqual([{ id: 2 }, { id: 12 }])
  })

  test('tells of a failure without the values that were in it', async () => {
    const secret = 'borrower-7f3a'
    const wrong = database.transaction(({ run }) =>
      run('insert into note (id, text) values ($1, $2), ($1, $2)', [1, secret]),
    )
    const error = await wrong.catch((reason: unknown) => reason)
    expect(error).toMatchObject({ code: '23505' })
    expect(JSON.stringify([error, String(error), Object.entries(error as object)])).not.toContain(
      secret,
    )
  })
})

describe('reading', () => {
  test('sees one state, whatever is committed meanwhile', async () => {
    await insert(database, 1, 'before')
    const seen = await database.read(async ({ first }) => {
      const sql = 'select count(*) as notes from note'
      const before = await first(sql)
      await insert(other, 2, 'meanwhile')
      return [before, await first(sql)]
    })
    expect(seen).toEqual([{ notes: 1 }, { notes: 1 }])
    expect(await texts()).toEqual(['before', 'meanwhile'])
  })

  test('rejects to write, and is usable afterwards', async () => {
    const writing = database.read(({ run }) => run('delete from note'))
    await expect(writing).rejects.toThrow('read-only')
    await expect(database.single.run('delete from note')).rejects.toThrow('only read')
    expect(await texts()).toEqual([])
  })

  test('outlives connections that were lost while nothing happened', async () => {
    await Promise.all(numbers(10).map((id) => insert(database, id, 'note')))
    await other.transaction(cutOthers)
    const counts = await Promise.all(numbers(30).map(async () => (await texts()).length))
    expect(new Set(counts)).toEqual(new Set([10]))
  })

  test('gives whole numbers for what the other engine has as such', async () => {
    await database.transaction(({ run }) =>
      run('insert into note (id, big) values (1, $1), (2, $2)', [2 ** 53 - 1, null]),
    )
    const row = await database.single.first(
      'select sum(big) as sum, count(*) as count, max(big) as max, $1 = $2 as same from note',
      ['a', 'a'],
    )
    expect(row).toEqual({ sum: 2 ** 53 - 1, count: 2, max: 2 ** 53 - 1, same: 1 })
  })
})

describe('text', () => {
  test('is ordered by its bytes in a database that orders as a dictionary', async () => {
    const name = `test_icu_${process.pid}`
    await asAdmin((sql) =>
      sql.unsafe(`create database ${name} template template0 encoding 'UTF8'
        locale_provider icu icu_locale 'en-US'`),
    )
    const dictionary = await openPostgres(urlOf(name))
    try {
      await migrate(dictionary)
      const ids = ['b', 'A', 'a', 'B', '-c']
      await dictionary.transaction(async ({ run }) => {
        for (const id of ids) {
          await run('insert into settings (name, value) values ($1, $2)', [id, 'x'])
        }
      })
      const rows = await dictionary.single.all<{ name: string }>(
        'select name from settings order by name',
      )
      expect(rows.map((row) => row.name)).toEqual([...ids].sort())
    } finally {
      await dictionary.close()
      await asAdmin((sql) => sql.unsafe(`drop database ${name} (force)`))
    }
  })
})

describe('migrations', () => {
  /** An empty database, for as long as `work` takes. */
  async function inEmpty(work: (open: () => Promise<Database>) => Promise<void>) {
    const name = `test_empty_${process.pid}`
    await asAdmin((sql) => sql.unsafe(`create database ${name}`))
    const opened: Database[] = []
    try {
      await work(async () => {
        const fresh = await openPostgres(urlOf(name))
        opened.push(fresh)
        return fresh
      })
    } finally {
      for (const { close } of opened) await close()
      await asAdmin((sql) => sql.unsafe(`drop database ${name} (force)`))
    }
  }

  test('run once, whichever process comes first', () =>
    inEmpty(async (open) => {
      const processes = await Promise.all(numbers(5).map(open))
      await Promise.all(processes.map(migrate))
      const sql = 'select count(*) as found from migrations'
      const [first] = await Promise.all(processes.map(({ single }) => single.first(sql)))
      await migrate(processes[0] as Database)
      expect(await processes[1]?.single.first(sql)).toEqual(first)
    }))

  /** How many tables there are. */
  const tables = async ({ single }: Database) =>
    (
      await single.first<{ found: number }>(
        "select count(*) as found from information_schema.tables where table_schema = 'public'",
      )
    )?.found

  /** A database whose statement of that number is preceded by something. */
  const interrupted = (fresh: Database, number: number, by: () => Promise<void>): Database => {
    let statements = 0
    return {
      ...fresh,
      exclusive: (work) =>
        fresh.exclusive((queries) =>
          work({
            ...queries,
            run: async (sql, values) => {
              statements += 1
              if (statements === number) await by()
              return queries.run(sql, values)
            },
          }),
        ),
    }
  }

  test('that end in the middle leave nothing, and succeed the next time', () =>
    inEmpty(async (open) => {
      const [first, second] = [await open(), await open()]
      const dying = interrupted(first, 30, () => Promise.reject(new Error('the process ends')))
      await expect(migrate(dying)).rejects.toThrow('the process ends')
      expect(await tables(second)).toBe(0)
      await migrate(second)
      expect(await tables(first)).toBeGreaterThan(20)
    }))

  test('whose connection is cut in the middle begin again', () =>
    inEmpty(async (open) => {
      const [first, second] = [await open(), await open()]
      const cut = interrupted(first, 30, async () => void (await second.transaction(cutOthers)))
      await migrate(cut)
      expect(await tables(second)).toBeGreaterThan(20)
    }))
})

describe('a database that cannot be used', () => {
  test.each([
    ['is not there', urlOf('test_nowhere'), /^the database cannot be used: .*does not exist/],
    ['does not answer', 'postgres://postgres@127.0.0.1:1/test', /cannot be used: .*ECONNREFUSED/],
  ])('that %s is rejected in one line', async (_case, url, message) => {
    const error = await openPostgres(url).catch((reason: unknown) => reason)
    expect((error as Error).message).toMatch(message)
    expect((error as Error).message).not.toContain('\n')
  })
})
