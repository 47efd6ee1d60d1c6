import { setImmediate as nextTurn } from 'node:timers/promises'
import { describe, expect, test } from 'vitest'
import type { Answer } from '../../src/server/db/lane.ts'
import { NoLane } from '../../src/server/db/lanes.ts'
import { createKinds } from '../../src/server/db/run-together.ts'
import { createSharedReads, sharingStatements } from '../../src/server/db/shared-reads.ts'
import { DatabaseUnavailable, type Queries, type Value } from '../../src/server/kernel/database.ts'

const queriesOf = (first: () => Promise<unknown>): Queries => ({ first }) as unknown as Queries

/** Says on which snapshot each has read; the one that several share may fail. */
function createReading({ failing = false } = {}) {
  let snapshots = 0
  let failure: unknown
  const read = createSharedReads({
    alone: (work) => work(queriesOf(async () => `alone on ${++snapshots}`)),
    async onSnapshot(work) {
      snapshots += 1
      const own = snapshots
      const queries = queriesOf(async () => {
        if (!failing) return `on ${own}`
        failure = new Error('a statement failed')
        throw failure
      })
      await work({ queries, failure: () => failure })
    },
    onStatements: (work) => work(queriesOf(async () => 'on none')),
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
    const refused = () => Promise.reject(new Error('refused'))

    test('need no snapshot once they are known to be one statement', async () => {
      const { other } = createReading()
      const read = () => other(one, 'walletGet')
      expect(await Promise.all([read(), read()])).toEqual(['on 1', 'on 1'])
      expect(await Promise.all([read(), read()])).toEqual(['on none', 'on none'])
    })

    test('are done again on a snapshot where they ask for a second one', async () => {
      const { other } = createReading()
      await other(one, 'transferGet')
      const both = [other(two, 'transferGet'), other(two, 'transferGet')]
      expect(await Promise.all(both)).toEqual([Array(2).fill('on 2'), Array(2).fill('on 2')])
      // And are expected to ask for it again for a while.
      expect(await other(one, 'transferGet')).toBe('alone on 3')
      expect(await other(one, 'transferGet')).toBe('alone on 4')
    })

    test('are done again whatever a work makes of its second statement', async () => {
      const { other } = createReading()
      await other(one, 'accountsGet')
      const hiding = (db: Queries) => two(db).catch(() => 'hidden')
      expect(await other(hiding, 'accountsGet')).toEqual(['alone on 2', 'alone on 3'])
    })

    test('are not known by one that was refused', async () => {
      const { other } = createReading()
      const reading = other((db) => one(db).then(refused), 'accountsGet')
      await expect(reading).rejects.toThrow('refused')
      expect(await other(one, 'accountsGet')).toBe('alone on 2')
    })

    test('tell what a work throws', async () => {
      const { other } = createReading()
      await other(one, 'walletGet')
      await expect(other(refused, 'walletGet')).rejects.toThrow('refused')
    })
  })

  test('are done again alone where a statement failed', async () => {
    const { read } = createReading({ failing: true })
    expect(await Promise.all([read(), read()])).toEqual(['alone on 2', 'alone on 3'])
  })
})

describe('what is known of kinds', () => {
  test('is that they are one statement once one was, and ten seconds after one was not', () => {
    let now = 0
    const kinds = createKinds(() => now)
    expect(kinds.isSingle('a')).toBe(false)
    kinds.note('a', 0)
    expect(kinds.isSingle('a')).toBe(false)
    kinds.note('a', 1)
    expect([kinds.isSingle('a'), kinds.isSingle('b')]).toEqual([true, false])
    kinds.note('a', 2)
    kinds.note('a', 1)
    expect(kinds.isSingle('a')).toBe(false)
    now = 10_000
    expect(kinds.isSingle('a')).toBe(false)
    kinds.note('a', 1)
    expect(kinds.isSingle('a')).toBe(true)
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
