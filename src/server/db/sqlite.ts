import { backup, type DatabaseSync, type SQLInputValue, type StatementSync } from 'node:sqlite'
import { type Database, onlyReading, type Queries, type Value } from './database.ts'
import { runBatch, type Task } from './sqlite-batch.ts'
import { toStoreError } from './sqlite-error.ts'
import { connect } from './sqlite-file.ts'

/** The embedded store, which can be copied whole. */
export interface EmbeddedDatabase extends Database {
  /** Whether this Node can make and load images; from 24.16 on it can. */
  hasImages: boolean
  /** All of it as it is committed now. */
  image(): Promise<Uint8Array>
  /** Puts an image in the place of all that is there; for a database in memory only. */
  load(image: Uint8Array): Promise<void>
  /**
   * Copies all of it into a new file, durably, while work goes on: what is committed before it
   * begins is in the copy, and what is committed meanwhile, too.
   */
  backup(file: string): Promise<void>
}

/** Whether a database is the embedded store. */
export const isEmbedded = (database: Database): database is EmbeddedDatabase => 'backup' in database

/**
 * Opens the embedded store: one connection, held exclusively, durable at each commit. Tasks run one
 * after the other; those that wait together share one commit, and none is answered before it.
 */
export function openSqlite(file: string): EmbeddedDatabase {
  const connection = connect(file)
  const { queries, forget } = prepared(connection)
  let waiting: Task[] = []
  let between: (() => Promise<void>)[] = []
  let drained: Promise<void> | undefined
  const copies = new Set<Promise<unknown>>()

  const add = <Result>(writes: boolean, work: (queries: Queries) => Promise<Result>) =>
    new Promise<Result>((resolve, reject) => {
      waiting.push({
        writes,
        work,
        resolve: resolve as Task['resolve'],
        reject: (error) => reject(toStoreError(file, error)),
      })
      drained ??= nextTurn().then(drain)
    })

  /** Runs `work` after the tasks that wait, outside of any transaction. */
  const alone = <Result>(work: () => Result | Promise<Result>) =>
    new Promise<Result>((resolve, reject) => {
      between.push(async () => {
        try {
          resolve(await work())
        } catch (error) {
          reject(error)
        }
      })
      drained ??= nextTurn().then(drain)
    })

  async function drain(): Promise<void> {
    while (waiting.length > 0 || between.length > 0) {
      const [batch, rest] = [waiting, between]
      waiting = []
      between = []
      await runBatch(connection, queries, batch)
      for (const work of rest) await work()
    }
    drained = undefined
  }

  return {
    shared: false,
    single: onlyReading({
      ...queries,
      all: (sql, values) => add(false, ({ all }) => all(sql, values)),
      first: (sql, values) => add(false, ({ first }) => first(sql, values)),
    }),
    transaction: (work) => add(true, work),
    read: (work) => add(false, work),
    // Nobody else has the file.
    exclusive: (work) => add(true, work),
    hasImages: typeof connection.serialize === 'function',
    image: () => alone(() => connection.serialize()),
    load: (image) =>
      alone(() => {
        connection.deserialize(image)
        forget()
      }),
    async backup(target) {
      try {
        const copy = await alone(() => beginCopy(connection, target))
        copies.add(copy.end)
        await copy.end.finally(() => copies.delete(copy.end))
      } catch (error) {
        throw toStoreError(target, error)
      }
    },
    async close() {
      await drained
      await Promise.allSettled(copies)
      connection.close()
    },
  }
}

/** No row is ever locked, since transactions run one after the other. */
const locks = { forUpdate: '', skipLocked: '' }

// A step of a backup holds up the statements that come meanwhile: a megabyte takes about 1 ms.
const pagesAtOnce = 256

/**
 * Begins a copy, and resolves after its first step: within a transaction that one would end it. All
 * later steps wait for the end of one.
 */
async function beginCopy(
  connection: DatabaseSync,
  target: string,
): Promise<{ end: Promise<unknown> }> {
  const { promise: isBegun, resolve } = Promise.withResolvers<void>()
  const end = backup(connection, target, { rate: pagesAtOnce, progress: () => resolve() })
  await Promise.race([isBegun, end])
  return { end }
}

const nextTurn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve))

/**
 * `$1` is the name of a parameter here; `?1` is its place, and `?` the next one, which is also faster
 * where there are hundreds: the engine looks numbered ones up in a list.
 */
function withPlaces(sql: string): string {
  const places = [...sql.matchAll(/\$(\d+)/g)].map(([, place]) => Number(place))
  const isCounted = places.every((place, index) => place === index + 1)
  return sql.replaceAll(/\$(\d+)/g, isCounted ? '?' : '?$1')
}

interface Prepared {
  queries: Queries
  /** Prepares every statement anew: an image has ended them. */
  forget(): void
}

function prepared(connection: DatabaseSync): Prepared {
  const statements = new Map<string, StatementSync>()
  const statement = (sql: string): StatementSync => {
    const known = statements.get(sql)
    if (known) return known
    const fresh = connection.prepare(withPlaces(sql))
    statements.set(sql, fresh)
    return fresh
  }
  const bind = (values: readonly Value[] = []) => values as SQLInputValue[]
  const queries: Queries = {
    all: async <Row>(sql: string, values?: readonly Value[]) =>
      statement(sql).all(...bind(values)) as Row[],
    first: async <Row>(sql: string, values?: readonly Value[]) =>
      statement(sql).get(...bind(values)) as Row | undefined,
    run: async (sql, values) => Number(statement(sql).run(...bind(values)).changes),
    ...locks,
  }
  return { queries, forget: () => statements.clear() }
}
