import { setImmediate as nextTurn } from 'node:timers/promises'
import { describe, expect, test } from 'vitest'
import { DatabaseUnavailable, type Queries, type Value } from '../../src/server/db/database.ts'
import type { Answer } from '../../src/server/db/lane.ts'
import { NoLane } from '../../src/server/db/lanes.ts'
import {
  createSharedReads,
  type Reads,
  sharingStatements,
} from '../../src/server/db/shared-reads.ts'

const queriesOf = (first: () => Promise<unknown>): Queries => ({ first }) as unknown as Queries

/** Says on which snapshot each has read; what several share may fail. */
function createReading({ failing = false } = {}) {
  let snapshots = 0
  let lanes = 0
  let failure: unknown
  const onShared = async (name: string, work: (reads: Reads) => Promise<void>) => {
    const queries = queriesOf(async () => {
      if (!failing) return name
      failure = new Error('a statement failed')
      throw failure
    })
    await work({ queries, failure: () => failure })
  }
  const alone = async <Result>(work: (db: Queries) => Promise<Result>): Promise<Result> => {
    snapshots += 1
    const own = snapshots
    return work(queriesOf(async () => `alone on ${own}`))
  }
  const read = createSharedReads({
    alone,
    onSnapshot: (work) => onShared(`on ${++snapshots}`, work),
    onStatements: (work) => onShared(`on lane ${++lanes}`, work),
  })
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
    const refused = other(() => Promise.reject(new Error('refused')))
    const answers = await Promise.allSettled([read(), refused, read()])
    expect(answers.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled'])
  })

  test('are so many at most on one connection', async () => {
    const { read } = createReading()
    const snapshots = await Promise.all(Array.from({ length: 20 }, read))
    expect(new Set(snapshots)).toEqual(new Set(['on 1', 'on 2', 'on 3']))
  })

  test('do not wait for a connection twice', async () => {
    const read = createSharedReads({
      alone: () => Promise.reject(new Error('waited again')),
      onSnapshot: () => Promise.reject(new NoLane('none is free')),
      onStatements: () => Promise.reject(new Error('not known to be one statement')),
    })
    const answers = await Promise.allSettled([read(async () => 1), read(async () => 2)])
    expect(answers.map((answer) => answer.status === 'rejected' && answer.reason)).toEqual([
      expect.any(DatabaseUnavailable),
      expect.any(DatabaseUnavailable),
    ])
  })

  describe('of one kind', () => {
    const one = (db: Queries) => db.first('select')
    const two = async (db: Queries) => [await db.first('select'), await db.first('select')]

    test('need no snapshot once they are known to be one statement', async () => {
      const { other } = createReading()
      const read = () => other(one, 'walletGet')
      expect(await Promise.all([read(), read()])).toEqual(['on 1', 'on 1'])
      expect(await Promise.all([read(), read()])).toEqual(['on lane 1', 'on lane 1'])
      expect(await read()).toBe('on lane 2')
    })

    test('are done again on a snapshot where a second statement is asked for', async () => {
      const { other } = createReading()
      await other(one, 'transferGet')
      const read = () => other(two, 'transferGet')
      expect(await Promise.all([other(one, 'transferGet'), read()])).toEqual([
        'on lane 1',
        ['alone on 2', 'alone on 2'],
      ])
      // And are expected to ask for it again for a while.
      expect(await Promise.all([read(), read()])).toEqual([
        Array(2).fill('on 3'),
        Array(2).fill('on 3'),
      ])
    })

    test('are done again whatever a work makes of its second statement', async () => {
      const { other } = createReading()
      await other(one, 'itemGet')
      const hiding = (db: Queries) => two(db).catch(() => 'hidden')
      expect(await other(hiding, 'itemGet')).toEqual(['alone on 2', 'alone on 2'])
    })

    test('are done again alone where one of their statements failed', async () => {
      const { other } = createReading({ failing: true })
      await other(one, 'walletGet')
      const read = () => other(one, 'walletGet')
      expect(await Promise.all([read(), read()])).toEqual(['alone on 2', 'alone on 3'])
    })

    test('tell what a work throws to its own caller only', async () => {
      const { other } = createReading()
      await other(one, 'walletGet')
      const refused = other(() => Promise.reject(new Error('refused')), 'walletGet')
      const answers = await Promise.allSettled([other(one, 'walletGet'), refused])
      expect(answers.map(({ status }) => status)).toEqual(['fulfilled', 'rejected'])
    })
  })

  test('are done again alone where a statement failed', async () => {
    const { read } = createReading({ failing: true })
    expect(await Promise.all([read(), read()])).toEqual(['alone on 2', 'alone on 3'])
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

  test('give rows that nobody can change, since others have them, too', async () => {
    const [row] = await createStatements().send('select', ['a'])
    expect(Object.isFrozen(row)).toBe(true)
  })
})
