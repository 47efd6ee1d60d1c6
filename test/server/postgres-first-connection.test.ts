import { expect, test } from 'vitest'
import type { Answer, Connection } from '../../src/server/db/connection.ts'
import { openFirst } from '../../src/server/db/first-connection.ts'
import { settingsOf } from '../../src/server/db/servers.ts'
import { LostConnection, StatementError } from '../../src/server/db/statement-error.ts'
import { DatabaseError } from '../../src/server/kernel/database.ts'

// How the first connection is had, on a server of a test's own making.

const row = { version: 170_001, encoding: 'UTF8', pid: 7 }

/** A connection to a server's process, which answers each question with this row. */
const connectionTo = (answer: Partial<typeof row> = {}, pid = row.pid): Connection => ({
  send: async () =>
    Object.assign([{ ...row, ...answer }], { count: 1, command: '', state: { pid } }) as Answer,
  isLost: () => false,
  isOld: () => false,
  isUnreplicated: () => false,
  drop: () => {},
  end: async () => {},
})

/** Opens what comes next: a connection, or a failure. */
function opening(...outcomes: (Connection | Error)[]) {
  let tries = 0
  const open = async (): Promise<Connection> => {
    const outcome = outcomes[Math.min(tries, outcomes.length - 1)] as Connection | Error
    tries += 1
    if (outcome instanceof Error) throw outcome
    return outcome
  }
  return { open, tries: () => tries }
}

function patience(waitMs: number) {
  const told: string[] = []
  return { told, patience: { waitMs, onWait: (line: string) => void told.push(line) } }
}

test('a server that is away is waited for, which is logged once', async () => {
  const connection = connectionTo()
  const { open } = opening(
    new LostConnection('refused'),
    new LostConnection('starting up'),
    connection,
  )
  const { told, patience: patient } = patience(30_000)
  expect(await openFirst(open, patient)).toBe(connection)
  expect(told).toEqual(['the database is away, and waited for (0 of at most 30 s): refused'])
})

test('a server that stays away is given up in the end', async () => {
  const { open, tries } = opening(new LostConnection('refused'))
  const { patience: short } = patience(1200)
  await expect(openFirst(open, short)).rejects.toThrow('the database cannot be used: refused')
  expect(tries()).toBeGreaterThan(1)
})

test.each([
  ['a wrong password', new StatementError('password authentication failed', '28P01')],
  ['an unknown database', new StatementError('database "x" does not exist', '3D000')],
  ['an address that is none', new TypeError('Invalid URL')],
])('%s is not waited for', async (_what, failure) => {
  const { open, tries } = opening(failure)
  const { told, patience: patient } = patience(30_000)
  await expect(openFirst(open, patient)).rejects.toBeInstanceOf(DatabaseError)
  expect({ tries: tries(), told }).toEqual({ tries: 1, told: [] })
})

test('one connection is opened, unless something stands between', async () => {
  const direct = opening(connectionTo())
  await openFirst(direct.open, patience(0).patience)
  expect(direct.tries()).toBe(1)
  const pooled = opening(connectionTo({ pid: 7 }, 4711), connectionTo({ pid: 8 }, 4712))
  await openFirst(pooled.open, patience(0).patience)
  expect(pooled.tries()).toBe(2)
})

test('two connections that are one to the server are rejected', async () => {
  const { open } = opening(connectionTo({ pid: 7 }, 4711), connectionTo({ pid: 7 }, 4712))
  await expect(openFirst(open, patience(0).patience)).rejects.toThrow(
    'the pooler in front of the database pools transactions',
  )
})

/** A connection through a pooler of transactions: which process answers each question, in turn. */
function pooledConnection(pids: readonly number[]): Connection {
  let asked = 0
  const at = () => pids[Math.min(asked, pids.length - 1)] as number
  const connection = connectionTo()
  return {
    ...connection,
    async send(sql) {
      const pid = at()
      if (/pg_backend_pid/.test(sql)) asked += 1
      return Object.assign([{ ...row, pid }], { count: 1, command: '', state: { pid: 4711 } })
    },
  }
}

test('a pooler of transactions is found though its other clients hide it at first', async () => {
  // Somebody else has process 7 whenever the second connection asks, until the last time.
  const { open } = opening(pooledConnection([7]), pooledConnection([8, 9, 8, 7]))
  await expect(openFirst(open, patience(0).patience)).rejects.toThrow(
    'the pooler in front of the database pools transactions',
  )
})

test('a pooler without a second connection is not a database that is away', async () => {
  const [first, second] = [connectionTo({ pid: 7 }, 4711), connectionTo({ pid: 8 }, 4712)]
  const { open } = opening(first, new LostConnection('no answer'), first, second)
  const { told, patience: patient } = patience(30_000)
  expect(await openFirst(open, patient)).toBe(first)
  expect(told).toEqual([
    expect.stringMatching(
      /^the database has no room, .*: the pooler .* gives no second connection/,
    ),
  ])
})

test('settings of the server in an address are distinguished from options of the connection', () => {
  const address = 'postgres://me@one/name?max=3&synchronous_commit=off&work_mem=4MB&sslmode=require'
  expect(settingsOf(address)).toEqual({ synchronous_commit: 'off', work_mem: '4MB' })
})
