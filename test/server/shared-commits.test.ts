import { describe, expect, test, vi } from 'vitest'
import { createSharedCommits, type Statements } from '../../src/server/db/shared-commits.ts'
import {
  DatabaseUnavailable,
  type Queries,
  UnknownOutcome,
  type Work,
} from '../../src/server/kernel/database.ts'

const turn = () => new Promise((resolve) => setImmediate(resolve))

/** The same statements, each after the one before. */
function oneByOne(queries: Queries): Queries {
  let last: Promise<unknown> = Promise.resolve()
  const after = <Result>(ask: () => Promise<Result>): Promise<Result> => {
    const answer = last.then(ask)
    last = answer.catch(() => {})
    return answer
  }
  return {
    ...queries,
    all: (sql) => after(() => queries.all(sql)),
    first: (sql) => after(() => queries.first(sql)),
    run: (sql) => after(() => queries.run(sql)),
  }
}

/** A store of lines that keeps those of a transaction when its work succeeds. */
function createLines({ failing = new Map<string, Error>(), commit = async () => {} } = {}) {
  const kept: string[] = []
  const transactions: string[][] = []
  let mostOut = 0
  const transact = async <Result>(
    work: (statements: Statements) => Promise<Result>,
  ): Promise<Result> => {
    const own: string[] = []
    let out = 0
    const write = async (sql: string) => {
      out += 1
      mostOut = Math.max(mostOut, out)
      await turn()
      out -= 1
      const error = failing.get(sql)
      if (error) throw error
      if (!sql.startsWith('select')) own.push(sql)
      return 1
    }
    const together: Queries = {
      all: async (sql) => {
        await write(sql)
        return []
      },
      first: async <Row>(sql: string) => {
        await write(sql)
        return { seen: [...kept, ...own] } as Row
      },
      run: write,
      forUpdate: '',
      skipLocked: '',
    }
    const result = await work({ queries: oneByOne(together), together })
    await commit()
    transactions.push(own)
    kept.push(...own)
    return result
  }
  return {
    kept,
    transactions,
    commit: createSharedCommits(transact),
    /** How many statements were under way at once since this was asked for. */
    mostOut() {
      const most = mostOut
      mostOut = 0
      return most
    },
  }
}

const writes =
  (line: string): Work<string> =>
  async (db) => {
    await db.run(line)
    return line
  }

describe('transactions that wait together', () => {
  test('share a commit, in their order, each seeing those before it', async () => {
    const lines = createLines()
    const sees: Work<string[]> = async (db) => {
      await db.run('b')
      return (await db.first<{ seen: string[] }>('select'))?.seen ?? []
    }
    const answers = await Promise.all([
      lines.commit(writes('a'), 'x'),
      lines.commit(sees, 'x'),
      lines.commit(writes('c'), 'x'),
    ])
    expect(answers).toEqual(['a', ['a', 'b'], 'c'])
    expect(lines.transactions).toEqual([['a', 'b', 'c']])
  })

  test('are of one owner', async () => {
    const lines = createLines()
    await Promise.all([lines.commit(writes('a'), 'x'), lines.commit(writes('b'), 'y')])
    expect(lines.transactions).toEqual([['a'], ['b']])
  })

  test('are not answered before the commit', async () => {
    const { promise, resolve } = Promise.withResolvers<void>()
    const lines = createLines({ commit: () => promise })
    let answered = 0
    const all = ['a', 'b'].map((line) =>
      lines.commit(writes(line), 'x').then(() => (answered += 1)),
    )
    await new Promise((later) => setTimeout(later, 20))
    expect(answered).toBe(0)
    resolve()
    await Promise.all(all)
    expect(answered).toBe(2)
  })

  test('keep what others wrote when one only read and failed', async () => {
    const lines = createLines()
    const refuses: Work<string> = async (db) => {
      await db.first('select')
      throw new Error('refused')
    }
    const answers = await Promise.allSettled([
      lines.commit(writes('a'), 'x'),
      lines.commit(refuses, 'x'),
    ])
    expect(answers.map(({ status }) => status)).toEqual(['fulfilled', 'rejected'])
    expect(lines.transactions).toEqual([['a']])
  })

  test('are done again alone when one has written and failed', async () => {
    const lines = createLines()
    const refuses: Work<string> = async (db) => {
      await db.run('never')
      throw new Error('refused')
    }
    const answers = await Promise.allSettled([
      lines.commit(writes('a'), 'x'),
      lines.commit(refuses, 'x'),
      lines.commit(writes('b'), 'x'),
    ])
    expect(answers.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled'])
    expect(lines.kept).toEqual(['a', 'b'])
  })

  test('are done again alone when a statement has failed, though its work went on', async () => {
    const lines = createLines({ failing: new Map([['bad', new Error('a constraint')]]) })
    const goesOn: Work<string> = async (db) => {
      await db.run('bad').catch(() => {})
      throw new Error('refused')
    }
    const answers = await Promise.allSettled([
      lines.commit(writes('a'), 'x'),
      lines.commit(goesOn, 'x'),
    ])
    expect(answers.map(({ status }) => status)).toEqual(['fulfilled', 'rejected'])
    expect(lines.transactions).toEqual([['a']])
  })

  test.each([UnknownOutcome, DatabaseUnavailable])(
    'are not done again after %o',
    async (Failure) => {
      let commits = 0
      const lines = createLines({
        commit: async () => {
          commits += 1
          throw new Failure('gone')
        },
      })
      const answers = await Promise.allSettled(
        ['a', 'b'].map((line) => lines.commit(writes(line), 'x')),
      )
      expect(answers.map((answer) => answer.status === 'rejected' && answer.reason)).toEqual([
        expect.any(Failure),
        expect.any(Failure),
      ])
      expect(commits).toBe(1)
    },
  )

  test('are under way two at once at most: one that runs, and one that waits for it', async () => {
    let [running, most, transactions] = [0, 0, 0]
    const commit = createSharedCommits(async (work) => {
      running += 1
      transactions += 1
      most = Math.max(most, running)
      const queries = { run: async () => 1 } as unknown as Queries
      const result = await work({ queries, together: queries })
      await new Promise((resolve) => setTimeout(resolve, 5))
      running -= 1
      return result
    })
    await Promise.all(Array.from({ length: 60 }, () => commit(writes('a'), 'x')))
    expect(transactions).toBeGreaterThan(3)
    expect(most).toBe(2)
  })

  const writesTwice =
    (line: string): Work<string> =>
    async (db) => {
      await db.run(line)
      await db.run(`${line} again`)
      return line
    }
  const several = (lines: ReturnType<typeof createLines>, isSingle: boolean, work = writes) =>
    Promise.all(['a', 'b', 'c'].map((line) => lines.commit(work(line), 'x', isSingle)))

  test('are sent in one go where each is declared as a single statement', async () => {
    const lines = createLines()
    expect(await several(lines, true)).toEqual(['a', 'b', 'c'])
    expect(lines.mostOut()).toBe(3)
    expect(lines.transactions).toEqual([['a', 'b', 'c']])
  })

  test('are sent one by one where one of them is not', async () => {
    const lines = createLines()
    await several(lines, false, writesTwice)
    await Promise.all([lines.commit(writes('a'), 'x', true), lines.commit(writes('b'), 'x')])
    expect(lines.mostOut()).toBe(1)
  })

  test('keep nothing of what was sent in one go where one of them has to be undone', async () => {
    const lines = createLines({ failing: new Map([['b', new Error('a constraint')]]) })
    const answers = await Promise.allSettled(
      ['a', 'b', 'c'].map((line) => lines.commit(writes(line), 'x', true)),
    )
    expect(answers.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled'])
    expect(lines.transactions).toEqual([['a'], ['c']])
  })

  test('are rejected when they have waited too long for the others', async () => {
    vi.useFakeTimers({ toFake: ['performance', 'setTimeout'] })
    try {
      let transactions = 0
      const commit = createSharedCommits(async () => {
        transactions += 1
        vi.advanceTimersByTime(6000)
        throw new DatabaseUnavailable('away')
      })
      const answers = await Promise.allSettled(
        Array.from({ length: 200 }, () => commit(writes('a'), 'x')),
      )
      expect(answers.every(({ status }) => status === 'rejected')).toBe(true)
      expect(transactions).toBeLessThan(5)
    } finally {
      vi.useRealTimers()
    }
  })

  test('are limited in size, and all commit', async () => {
    const lines = createLines()
    const names = Array.from({ length: 200 }, (_, index) => `line ${index}`)
    expect(await Promise.all(names.map((name) => lines.commit(writes(name), 'x')))).toEqual(names)
    expect(Math.max(...lines.transactions.map((own) => own.length))).toBe(16)
    expect(lines.kept.toSorted()).toEqual(names.toSorted())
  })
})
