import { DatabaseSync, type SQLInputValue, type StatementSync } from 'node:sqlite'
import { type Database, DatabaseError, onlyReading, type Queries, type Value } from './database.ts'

interface Task {
  writes: boolean
  work(queries: Queries): Promise<unknown>
  resolve(result: unknown): void
  reject(error: unknown): void
}

/** The embedded store, which can be copied whole. */
export interface EmbeddedDatabase extends Database {
  /** Whether this Node can make and load images; from 24.16 on it can. */
  hasImages: boolean
  /** All of it as it is committed now. */
  image(): Promise<Uint8Array>
  /** Puts an image in the place of all that is there; for a database in memory only. */
  load(image: Uint8Array): Promise<void>
}

/**
 * Opens the embedded store: one connection, held exclusively, durable at each commit. Tasks run one
 * after the other; those that wait together share one commit, and none is answered before it.
 */
export function openSqlite(file: string): EmbeddedDatabase {
  const connection = connect(file)
  const { queries, forget } = prepared(connection)
  let waiting: Task[] = []
  let between: (() => void)[] = []
  let drained: Promise<void> | undefined

  const add = <Result>(writes: boolean, work: (queries: Queries) => Promise<Result>) =>
    new Promise<Result>((resolve, reject) => {
      waiting.push({ writes, work, resolve: resolve as Task['resolve'], reject })
      drained ??= nextTurn().then(drain)
    })

  /** Runs `work` after the tasks that wait, outside of any transaction. */
  const alone = <Result>(work: () => Result) =>
    new Promise<Result>((resolve, reject) => {
      between.push(() => {
        try {
          resolve(work())
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
      for (const work of rest) work()
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
    async close() {
      await drained
      connection.close()
    },
  }
}

/** No row is ever locked, since transactions run one after the other. */
const locks = { forUpdate: '', skipLocked: '' }

const nextTurn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve))

/** The engine's message for a file that another process holds. */
const isLocked = (error: unknown): boolean => /database is locked/i.test(String(error))

function connect(file: string): DatabaseSync {
  const connection = new DatabaseSync(file)
  try {
    connection.exec(`
      pragma locking_mode = exclusive;
      pragma journal_mode = wal;
      pragma synchronous = full;
      pragma foreign_keys = on;
      pragma temp_store = memory;
      begin immediate; commit;
    `)
  } catch (error) {
    connection.close()
    if (!isLocked(error)) throw error
    throw new DatabaseError(
      `${file} is in use by another process; stop it, or choose another --data`,
      {
        cause: error,
      },
    )
  }
  return connection
}

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

/** Runs tasks in one transaction, each behind a savepoint, and answers them after the commit. */
async function runBatch(connection: DatabaseSync, queries: Queries, batch: Task[]): Promise<void> {
  const writes = batch.some((task) => task.writes)
  const answers: (() => void)[] = []
  if (writes) connection.exec('begin immediate')
  for (const task of batch) answers.push(await runTask(connection, queries, task, writes))
  try {
    if (writes) connection.exec('commit')
  } catch (error) {
    if (connection.isTransaction) connection.exec('rollback')
    for (const { reject } of batch) reject(error)
    return
  }
  for (const answer of answers) answer()
}

async function runTask(
  connection: DatabaseSync,
  queries: Queries,
  task: Task,
  inTransaction: boolean,
): Promise<() => void> {
  const savepoint = inTransaction && task.writes
  if (savepoint) connection.exec('savepoint task')
  try {
    const result = await task.work(queries)
    if (savepoint) connection.exec('release task')
    return () => task.resolve(result)
  } catch (error) {
    if (savepoint) connection.exec('rollback to task; release task')
    return () => task.reject(error)
  }
}
