import { setImmediate as nextTurn } from 'node:timers/promises'
import { describe, expect, test } from 'vitest'
import type { Answer } from '../../src/server/db/connection.ts'
import { NoConnection } from '../../src/server/db/pool.ts'
import { createSharedReads, sharingStatements } from '../../src/server/db/shared-reads.ts'
import {
  asSingle,
  DatabaseUnavailable,
  type Queries,
  SecondStatement,
  type Value,
} from '../../src/server/kernel/database.ts'

const queriesOf = (first: () => Promise<unknown>): Queries => ({ first }) as unknown as Queries

/** Says on which snapshot each has read; the one that several share may fail. */
function createReading({ failing = false } = {}) {
  let snapshots = 0
  let failure: unknown
  const read = createSharedReads(
    async (work) => {
      snapshots += 1
      const own = snapshots
      const queries = queriesOf(async () => {
        if (!failing) return `on ${own}`
        failure = new Error('a statement failed')
        throw failure
      })
      await work({ queries, failure: () => failure })
    },
    (work) => work(queriesOf(async () => `alone on ${++snapshots}`)),
  )
  return { read: () => read((db) => db.first('select')), other: read }
}

describe('reads', () => {
  test('of one turn share a snapshot', async () => {
    const { read } = createReading()
    expect(await Promise.all([read(), read()])).toEqual(['on 1', 'on 1'])
    expect(await read()).toBe('alone on 2')
  })

  test('tell what a work throws to its own caller only', async () => {
    const { read, other } = createReading()
    const rejected = other(() => Promise.reject(new Error('refused')))
    const answers = await Promise.allSettled([read(), rejected, read()])
    expect(answers.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled'])
  })

  test('are so many at most on one connection', async () => {
    const { read } = createReading()
    const snapshots = await Promise.all(Array.from({ length: 20 }, read))
    expect(new Set(snapshots)).toEqual(new Set(['on 1', 'on 2', 'on 3']))
  })

  test('do not wait for a connection twice', async () => {
    const read = createSharedReads(
      () => Promise.reject(new NoConnection('none is free')),
      () => Promise.reject(new Error('waited again')),
    )
    const answers = await Promise.allSettled([read(async () => 1), read(async () => 2)])
    expect(answers.map((answer) => answer.status === 'rejected' && answer.reason)).toEqual([
      expect.any(DatabaseUnavailable),
      expect.any(DatabaseUnavailable),
    ])
  })

  test('are done again alone where a statement failed', async () => {
    const { read } = createReading({ failing: true })
    expect(await Promise.all([read(), read()])).toEqual(['alone on 2', 'alone on 3'])
  })
})

describe('work that is declared as a single statement', () => {
  const queries = { first: async () => 'found', run: async () => 1 } as unknown as Queries

  test('is done as any other', async () => {
    expect(await asSingle((db) => db.first('select'))(queries)).toBe('found')
    await expect(asSingle(() => Promise.reject(new Error('rejected')))(queries)).rejects.toThrow(
      'rejected',
    )
  })

  test.each<[string, (db: Queries) => Promise<unknown>]>([
    ['asks for a second one', (db) => db.first('select').then(() => db.run('delete'))],
    [
      'goes on without its second one',
      (db) => db.run('delete').then(() => db.first('select').catch(() => 'hidden')),
    ],
    [
      'makes another error of that',
      (db) =>
        db.run('delete').then(() =>
          db.first('select').catch(() => {
            throw new Error('an answer')
          }),
        ),
    ],
  ])('fails where it %s', async (_what, work) => {
    await expect(asSingle(work)(queries)).rejects.toBeInstanceOf(SecondStatement)
  })
})

describe('statements', () => {
  function createStatements() {
    const sent: string[] = []
    const send = sharingStatements(async (sql: string, values: readonly Value[] = []) => {
      sent.push([sql, ...values].join(' '))
      return [{ number: sent.length }] as unknown as Answer
    })
    return { sent, send }
  }

  test('that are the same are sent once in a turn, after the last has asked', async () => {
    const { sent, send } = createStatements()
    const both = [send('select', ['a']), send('select', ['a'])]
    expect(sent).toEqual([])
    const [one, two] = await Promise.all(both)
    expect(one).toBe(two)
    await nextTurn()
    await send('select', ['a'])
    expect(sent).toEqual(['select a', 'select a'])
  })

  test('with other values are sent by themselves', async () => {
    const { sent, send } = createStatements()
    await Promise.all([send('select', ['a']), send('select', ['b']), send('select', [1])])
    expect(sent.toSorted()).toEqual(['select 1', 'select a', 'select b'])
  })

  test('give frozen rows, since other readers share them', async () => {
    const [row] = await createStatements().send('select', ['a'])
    expect(Object.isFrozen(row)).toBe(true)
  })
})
