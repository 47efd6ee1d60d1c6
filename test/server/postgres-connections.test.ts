import { once } from 'node:events'
import { type AddressInfo, connect, createServer, type Server, type Socket } from 'node:net'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { readConfig } from '../../src/server/config/config.ts'
import { openPostgres } from '../../src/server/db/postgres.ts'
import { serversOf } from '../../src/server/db/servers.ts'
import { type Database, DatabaseUnavailable } from '../../src/server/kernel/database.ts'
import { createDatabase, type Place } from '../support/engine.ts'
import { asAdmin } from '../support/postgres-server.ts'
import { openDatabaseLine } from '../trust/support/database-line.ts'

let place: Place
let url: URL
beforeAll(async () => {
  place = await createDatabase()
  url = new URL(place.address)
})
afterAll(() => place.remove())

const opened: Database[] = []
const servers: Server[] = []
afterEach(async () => {
  for (const database of opened.splice(0)) await database.close()
  for (const server of servers.splice(0)) server.close()
})

/** Opens the database at these hosts, with more options. */
async function open(hosts: readonly string[], options = ''): Promise<Database> {
  const address = `postgres://postgres@${hosts}${url.pathname}?synchronous_commit=off${options}`
  const database = await openPostgres(address)
  opened.push(database)
  return database
}

const own = () => url.host

/** Something that takes connections and is no server; its host. */
async function listen(behave: (socket: Socket) => void): Promise<string> {
  const server = createServer(behave)
  servers.push(server)
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return `127.0.0.1:${(server.address() as AddressInfo).port}`
}

const ask = ({ single }: Database) => single.first('select 1 as answer')
const failureOf = (work: Promise<unknown>): Promise<Error> =>
  work.then(
    () => new Error('it succeeded'),
    (error: Error) => error,
  )

function failureFrom(work: () => unknown): Error {
  try {
    work()
    return new Error('it succeeded')
  } catch (error) {
    return error as Error
  }
}

describe('an address', () => {
  test('of several servers is one for each of them', () => {
    const several =
      'postgres://me:p%40ss@one:1,two:2,[::1]:3/name?max=3&target_session_attrs=primary'
    expect(serversOf(several)).toEqual([
      'postgres://me:p%40ss@one:1/name?max=3',
      'postgres://me:p%40ss@two:2/name?max=3',
      'postgres://me:p%40ss@[::1]:3/name?max=3',
    ])
  })

  test('of one server is that server', () => {
    expect(serversOf('postgres://one/name?target_session_attrs=any&max=3')).toEqual([
      'postgres://one/name?max=3',
    ])
  })
})

describe('DATABASE_URL', () => {
  const read = (DATABASE_URL: string) =>
    readConfig([], { DATABASE_URL, ENCRYPTION_KEY: '5e'.repeat(32) })

  test.each(['', '?target_session_attrs=read-write', '?max=3&target_session_attrs=primary'])(
    'may name several servers: %s',
    (more) => {
      const address = `postgres://me:secret@one:1,two/name${more}`
      expect(read(address)).toMatchObject({ databaseUrl: address })
    },
  )

  test.each([
    ['postgres://me:secret@one:1,two:x/name', 'must be an address such as'],
    ['postgres://me:secret@one,two/name?target_session_attrs=standby', 'read-write or primary'],
    ['postgres://me:secret@one/name?target_session_attrs=prefer-standby', 'read-write or primary'],
  ])('is rejected without what is in it: %s', (address, words) => {
    const { message } = failureFrom(() => read(address))
    expect(message).toContain(words)
    expect(message).not.toContain('secret')
  })
})

describe('of several servers', () => {
  test('one that rejects connections is passed over', async () => {
    expect(await ask(await open(['127.0.0.1:1', own()]))).toEqual({ answer: 1 })
  })

  test('one that takes a connection and closes it is passed over', async () => {
    const closing = await listen((socket) => void socket.end())
    expect(await ask(await open([closing, own()]))).toEqual({ answer: 1 })
  })

  test('one that takes a connection and says nothing is passed over', async () => {
    const silent = await listen((socket) => void socket.on('error', () => {}))
    expect(await ask(await open([silent, own()]))).toEqual({ answer: 1 })
  })

  test('those that fail are named', async () => {
    const { message } = await failureOf(open(['127.0.0.1:1', '127.0.0.1:2']))
    expect(message).toMatch(/^the database cannot be used: .*127\.0\.0\.1:1; .*127\.0\.0\.1:2$/)
  })
})

describe('a server at an IPv6 address', () => {
  test('is reached', async () => {
    const relay = createServer((near) => {
      const far = connect(Number(url.port || 5432), url.hostname)
      near.pipe(far).pipe(near)
      for (const one of [near, far]) one.on('error', () => {})
    })
    servers.push(relay)
    relay.listen(0, '::1')
    // Where there is no IPv6 there is nothing to be tried.
    const [first] = await Promise.race([once(relay, 'listening'), once(relay, 'error')])
    if (first) return
    const { port } = relay.address() as AddressInfo
    expect(await ask(await open([`[::1]:${port}`]))).toEqual({ answer: 1 })
  })
})

describe('a setting in the address', () => {
  test.each([
    ['a list of schemas', 'app,public', ['app', 'public']],
    [
      'a schema with an apostrophe and a backslash',
      '"it\'s \\ ours",public',
      ["it's \\ ours", 'public'],
    ],
  ])('is read as the server reads it at a start: %s', async (_case, value, schemas) => {
    const first = await open([own()])
    const quoted = schemas.map((name) => `"${name}"`)
    for (const name of quoted)
      await first.exclusive(({ run }) => run(`create schema if not exists ${name}`))
    const database = await open([own()], `&search_path=${encodeURIComponent(value)}`)
    const found = await database.single.all('select unnest(current_schemas(false)) as name')
    expect(found).toEqual(schemas.map((name) => ({ name })))
  })
})

describe('a server that only reads', () => {
  test('is rejected in one line', async () => {
    const { message } = await failureOf(open([own()], '&default_transaction_read_only=on'))
    expect(message).toBe('the database cannot be used: the server only reads, as a standby does')
  })

  test('since it has become a standby is left for another one', async () => {
    const database = await open([own()])
    let tries = 0
    await database.transaction(async ({ run }) => {
      tries += 1
      if (tries === 1) await run('set transaction read only')
      await run("insert into settings (name, value) values ('standby', '')")
    })
    expect(tries).toBe(2)
  })
})

describe('a statement that hangs', () => {
  test('ends at its limit, and its connection is of use again', async () => {
    const database = await open([own()], '&statement_timeout=100&max=1')
    const error = await failureOf(database.single.first('select pg_sleep(5)'))
    expect(error).toBeInstanceOf(DatabaseUnavailable)
    expect(await ask(database)).toEqual({ answer: 1 })
  })

  test('has no limit in a migration', async () => {
    const database = await open([own()], '&statement_timeout=100')
    await database.exclusive(({ run }) => run('select pg_sleep(0.3)'))
  })

  test('on a line that has fallen silent gives the line up', async () => {
    const line = await openDatabaseLine(Number(url.port || 5432))
    const database = await open([`127.0.0.1:${line.port}`], '&statement_timeout=100')
    await Promise.all([ask(database), ask(database), ask(database)])
    line.behave('silent')
    const answer = ask(database)
    setTimeout(() => line.behave('passing'), 1000)
    expect(await answer).toEqual({ answer: 1 })
    await database.close()
    opened.pop()
    await line.close()
  })
})

describe('warnings of the server', () => {
  test('come, whatever the database or the address says', async () => {
    const name = url.pathname.slice(1)
    await asAdmin((sql) => sql.unsafe(`alter database ${name} set client_min_messages = error`))
    const database = await open([own()], '&client_min_messages=error')
    expect(await database.single.first('show client_min_messages')).toEqual({
      client_min_messages: 'warning',
    })
  })
})

describe('what the server rejects for now', () => {
  test.each([
    ['no room on its disk', '53100'],
    ['no memory', '53200'],
    ['a lock that was not given', '55P03'],
    ['a failure of its system', '58030'],
  ])('%s is reported as such', async (_case, code) => {
    const database = await open([own()])
    const rejected = database.transaction(({ run }) =>
      run(`do $$ begin raise exception 'not now' using errcode = '${code}'; end $$`),
    )
    expect(await failureOf(rejected)).toBeInstanceOf(DatabaseUnavailable)
  })

  test('a bug of ours is not', async () => {
    const database = await open([own()])
    const failed = database.transaction(({ run }) => run('select nothing'))
    expect(await failureOf(failed)).not.toBeInstanceOf(DatabaseUnavailable)
  })
})

describe('connections', () => {
  test('that cannot be had are waited for, and those that are there are shared', async () => {
    const database = await open([own()], '&max=2')
    const asked = Array.from({ length: 50 }, () => ask(database))
    expect(new Set((await Promise.all(asked)).map((row) => JSON.stringify(row))).size).toBe(1)
  })
})
