import type { DatabaseSync, SQLInputValue, StatementSync } from 'node:sqlite'
import {
  type Database,
  onlyReading,
  type Queries,
  type Value,
  type Work,
  WritesRejected,
} from '../kernel/database.ts'
import { createReadCache } from './read-cache.ts'
import { createBatches, type Task, type Transactions } from './sqlite-batch.ts'
import { beginCopy, type Copy } from './sqlite-copy.ts'
import { toStoreError } from './sqlite-error.ts'
import { connect } from './sqlite-file.ts'
import { noFile, watchFile } from './watch-file.ts'

/** The embedded store, which can be copied as a whole. */
export interface EmbeddedDatabase extends Database {
  /** Whether this Node can make and load images. Node supports it from 24.16. */
  hasImages: boolean
  /** An image of the whole committed database. */
  image(): Promise<Uint8Array>
  /** Replaces the whole database by an image. Only for a database in memory. */
  load(image: Uint8Array): Promise<void>
  /**
   * Copies the whole database into a new file, durably, while other work continues. The copy
   * contains all commits before its start and all commits during it.
   */
  backup(file: string): Promise<void>
}

/**
 * Opens the embedded store: one connection, held exclusively. A read runs immediately while no
 * transaction is open. Writes wait for the end of the event loop's turn and then share one commit,
 * which is durable unless all of them may be lost. Their callers get results after that commit.
 */
export function openSqlite(file: string): EmbeddedDatabase {
  const connection = connect(file)
  const { queries, transactions, forget } = prepared(connection)
  let waiting: Task[] = []
  let between: (() => Promise<void>)[] = []
  let drained: Promise<void> | undefined
  /** Whether a transaction may be open. Reads outside of it must not see its uncommitted rows. */
  let isClosed = false
  let readers = 0
  const cache = createReadCache()
  const runBatch = createBatches(transactions, queries)
  const copies = new Set<Copy>()
  const watch = file === ':memory:' ? noFile : watchFile(file)

  const add = <Result>(writes: boolean, work: Work<Result>, mayBeLost = false) =>
    new Promise<Result>((resolve, reject) => {
      waiting.push({
        writes,
        mayBeLost,
        work,
        resolve: resolve as Task['resolve'],
        reject: (error) => reject(toStoreError(file, error)),
      })
      drained ??= nextTurn().then(drain)
    })

  /** Writes to a deleted file are lost when the process ends. */
  function rejectGone(): void {
    if (!watch.isGone()) return
    const reason = 'its file was deleted or replaced; stop the service, and start it on a backup'
    throw new WritesRejected(`${file} cannot be used now: ${reason}`, reason)
  }

  /** Reads committed rows: immediately while no transaction is open, otherwise after it. */
  async function read<Result>(work: (queries: Queries) => Promise<Result>): Promise<Result> {
    if (isClosed) return add(false, work)
    readers += 1
    try {
      return await work(queries)
    } catch (error) {
      throw toStoreError(file, error)
    } finally {
      readers -= 1
    }
  }

  /** Reads through the cache. While a transaction may be open, nothing is cached. */
  const findCached = <Row>(sql: string, values: readonly Value[] = []): Promise<Row[]> => {
    const find = () => read(({ all }) => all<Row>(sql, values))
    return isClosed ? find() : cache.find(sql, values, find)
  }

  /** Runs `work` outside of any transaction, after the tasks that wait. */
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
      isClosed = true
      cache.clear()
      while (readers > 0) await nextTurn()
      const [batch, rest] = [waiting, between]
      waiting = []
      between = []
      await runBatch(batch)
      for (const work of rest) await work()
      isClosed = false
      // Otherwise the database could grow faster than a copy of it.
      for (const copy of copies) await copy.comeNearer()
    }
    drained = undefined
  }

  return {
    shared: false,
    single: onlyReading({
      ...queries,
      all: async <Row>(sql: string, values?: readonly Value[]) => [
        ...(await findCached<Row>(sql, values)),
      ],
      first: async <Row>(sql: string, values?: readonly Value[]) =>
        (await findCached<Row>(sql, values))[0],
    }),
    transaction: async (work, { mayBeLost } = {}) => {
      rejectGone()
      return add(true, work, mayBeLost)
    },
    read: (work) => read(work),
    // The file is locked exclusively, so no other process can hold the lock.
    exclusive: async (work) => {
      rejectGone()
      return add(true, work)
    },
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
        copies.add(copy)
        await copy.end.finally(() => copies.delete(copy))
      } catch (error) {
        throw toStoreError(target, error)
      }
    },
    async close() {
      watch.stop()
      await drained
      while (readers > 0) await nextTurn()
      await Promise.allSettled([...copies].map(({ end }) => end))
      connection.close()
    },
  }
}

/** Row locks are not needed, since transactions run one after the other. */
const locks = { forUpdate: '', skipLocked: '' }

const nextTurn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve))

/**
 * For this engine `$1` is a named parameter, `?1` is a numbered one, and `?` is the next one. `?`
 * is faster for hundreds of parameters: the engine searches a list for each numbered one. It plans
 * a statement again whenever the parameter of its `limit` is bound, unless that is an expression.
 */
function toPositional(sql: string): string {
  const planned = sql.replaceAll(/\blimit (\$\d+)/g, 'limit $1 + 0')
  const positions = [...planned.matchAll(/\$(\d+)/g)].map(([, position]) => Number(position))
  const isCounted = positions.every((position, index) => position === index + 1)
  return planned.replaceAll(/\$(\d+)/g, isCounted ? '?' : '?$1')
}

/** A statement with the names of its result columns. */
interface Statement {
  compiled: StatementSync
  columns: readonly string[]
}

function prepare(connection: DatabaseSync, sql: string): Statement {
  const compiled = connection.prepare(toPositional(sql))
  // The engine's own objects are slower to create and to read than these.
  compiled.setReturnArrays(true)
  return { compiled, columns: compiled.columns().map(({ name }) => name) }
}

// The type definitions do not describe rows as arrays.
const readAll = <Row>({ compiled, columns }: Statement, values: SQLInputValue[]): Row[] =>
  (compiled.all(...values) as unknown as unknown[][]).map((row) => toRow<Row>(columns, row))

function readFirst<Row>({ compiled, columns }: Statement, values: SQLInputValue[]) {
  const row = compiled.get(...values) as unknown as unknown[] | undefined
  return row && toRow<Row>(columns, row)
}

function toRow<Row>(columns: readonly string[], values: readonly unknown[]): Row {
  const row: Record<string, unknown> = {}
  for (const [index, name] of columns.entries()) row[name] = values[index]
  return row as Row
}

interface Prepared {
  queries: Queries
  transactions: Transactions
  /** Prepares all statements again, since loading an image invalidates them. */
  forget(): void
}

function prepared(connection: DatabaseSync): Prepared {
  const statements = new Map<string, Statement>()
  const statement = (sql: string): Statement => {
    const known = statements.get(sql)
    if (known) return known
    const fresh = prepare(connection, sql)
    statements.set(sql, fresh)
    return fresh
  }
  const bind = (values: readonly Value[] = []) => values as SQLInputValue[]
  const queries: Queries = {
    all: async <Row>(sql: string, values?: readonly Value[]) =>
      readAll<Row>(statement(sql), bind(values)),
    first: async <Row>(sql: string, values?: readonly Value[]) =>
      readFirst<Row>(statement(sql), bind(values)),
    run: async (sql, values) => Number(statement(sql).compiled.run(...bind(values)).changes),
    ...locks,
  }
  let isDurable: boolean | undefined = true
  const transactions: Transactions = {
    exec: (sql) => void statement(sql).compiled.run(),
    isOpen: () => connection.isTransaction,
    setDurable(wanted) {
      if (wanted === isDurable) return
      // If it fails, it is set again before the next commit.
      isDurable = undefined
      // Not a prepared statement: the engine sets this one when it compiles it.
      connection.exec(`pragma synchronous = ${wanted ? 'full' : 'normal'}`)
      isDurable = wanted
    },
  }
  return { queries, transactions, forget: () => statements.clear() }
}
