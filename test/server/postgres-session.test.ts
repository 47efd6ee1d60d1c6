import { describe, expect, test } from 'vitest'
import type { Answer, Connection } from '../../src/server/db/connection.ts'
import { beginSession } from '../../src/server/db/session.ts'
import { StatementError } from '../../src/server/db/statement-error.ts'

const cancelled = new StatementError('canceling statement due to user request', '57014')

/** A connection whose server has ended `begin`, as a cancel does that comes late; what it was sent. */
function connectionWithoutBegin(): { connection: Connection; sent: string[] } {
  const sent: string[] = []
  const connection: Connection = {
    async send(sql) {
      sent.push(sql)
      if (sql.startsWith('begin')) throw cancelled
      return Object.assign([], { count: 0, command: sql.toUpperCase() }) as Answer
    },
    isLost: () => false,
    isOld: () => false,
    isUnreplicated: () => false,
    drop: () => {},
    end: async () => {},
  }
  return { connection, sent }
}

describe('a transaction that could not begin', () => {
  test('writes nothing, which would be kept at once', async () => {
    const { connection, sent } = connectionWithoutBegin()
    const { queries } = beginSession(connection, 'begin')
    await expect(queries.run('insert into wallets default values')).rejects.toBe(cancelled)
    await expect(queries.run('delete from wallets')).rejects.toBe(cancelled)
    expect(sent).toEqual(['begin'])
  })

  test('is rolled back all the same: what begins with a lock has begun when that is not granted', async () => {
    const { connection, sent } = connectionWithoutBegin()
    const { queries, rollback } = beginSession(connection, 'begin; select pg_advisory_xact_lock(1)')
    await queries.run('delete from wallets').catch(() => {})
    await rollback()
    expect(sent.at(-1)).toBe('rollback')
  })

  test('does not write after it has read, either', async () => {
    const { connection, sent } = connectionWithoutBegin()
    const { queries } = beginSession(connection, 'begin')
    await queries.all('select 1').catch(() => {})
    await expect(queries.run('delete from wallets')).rejects.toBe(cancelled)
    expect(sent).not.toContain('delete from wallets')
  })

  test('cannot be committed', async () => {
    const { connection } = connectionWithoutBegin()
    await expect(beginSession(connection, 'begin').commit()).rejects.toBe(cancelled)
  })

  test('is no snapshot that was read from', async () => {
    const { connection } = connectionWithoutBegin()
    const { queries, leave } = beginSession(connection, 'begin')
    await queries.all('select 1').catch(() => {})
    await expect(leave()).rejects.toBe(cancelled)
  })
})
