import type { DatabaseSync, SQLInputValue, StatementSync } from 'node:sqlite'
import {
  type Database,
  onlyReading,
  type Queries,
  type Value,
  WritesRejected,
} from '../kernel/database.ts'
import { createReadCache } from './read-cache.ts'
import { createBatches, type Task, type Transactions } from './sqlite-batch.ts'
import { beginCopy, type Copy } from './sqlite-copy.ts'
import { toStoreError } from './sqlite-error.ts'
import { connect } from './sqlite-file.ts'
import { noFile, watchFile } from './watch-file.ts'

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
 * Opens the embedded store: one connection, held exclusively, durable at each commit. What reads runs
 * at once while no transaction is open. What writes waits for the end of the event loop's turn; all
 * that waits then shares one commit, and none of it is answered before that.
 */
export function openSqlite(file: string): EmbeddedDatabase {
  const connection = connect(file)
  const { queries, transactions, forget } = prepared(connection)
  let waiting: Task[] = []
  let between: (() => Promise<void>)[] = []
  let drained: Promise<void> | undefined
  /** Whether a transaction may be open, which reads outside of it must not see. */
  let isClosed = false
  let readers = 0
  const cache = createReadCache()
  const runBatch = createBatches(transactions, queries)
  const copies = new Set<Copy>()
  const watch = file === ':memory:' ? noFile : watchFile(file)

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

  /** What is written to a deleted file is lost when the process ends. */
  function rejectGone(): void {
    if (!watch.isGone()) return
    const reason = 'its file was deleted or replaced; stop the service, and start it on a backup'
    throw new WritesRejected(`${file} cannot be used now: ${reason}`, reason)
  }

  /** Reads what is committed: at once while no transaction is open, else after it. */
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

  /** Reads from the cache; while a transaction may be open, nothing is cached. */
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
    transaction: async (work) => {
      rejectGone()
      return add(true, work)
    },
    read: (work) => read(work),
    // Nobody else has the file.
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

/** No row is ever locked, since transactions run one after the other. */
const locks = { forUpdate: '', skipLocked: '' }

const nextTurn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve))

/**
 * For this engine `$1` is the name of a parameter, `?1` is one by its position, and `?` is the next
 * one. The last is faster where there are hundreds: the engine searches a list for numbered ones.
 */
function toPositional(sql: string): string {
  const positions = [...sql.matchAll(/\$(\d+)/g)].map(([, position]) => Number(position))
  const isCounted = positions.every((position, index) => position === index + 1)
  return sql.replaceAll(/\$(\d+)/g, isCounted ? '?' : '?$1')
}

/** A statement with the names of what it returns. */
interface Statement {
  compiled: StatementSync
  columns: readonly string[]
}

function prepare(connection: DatabaseSync, sql: string): Statement {
  const compiled = connection.prepare(toPositional(sql))
  // The objects that the engine makes take longer, and are slower to read, than these.
  compiled.setReturnArrays(true)
  return { compiled, columns: compiled.columns().map(({ name }) => name) }
}

// The types know nothing of rows that are arrays.
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
  /** Prepares every statement anew: an image has ended them. */
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
  const transactions: Transactions = {
    exec: (sql) => void statement(sql).compiled.run(),
    isOpen: () => connection.isTransaction,
  }
  return { queries, transactions, forget: () => statements.clear() }
}
