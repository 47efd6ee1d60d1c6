import { setTimeout as sleep } from 'node:timers/promises'
import type { Queries, Value } from '../kernel/database.ts'
import type { Keys } from '../kernel/keys.ts'
import type { Service } from '../kernel/service.ts'
import { type EncryptedColumns, encryptedColumns } from './encrypted-columns.ts'

/** Background work that runs until it is done or stopped. */
interface Reencryption {
  done: Promise<void>
  stop(): Promise<void>
}

const batchSize = 200
/** The pause between batches, so that requests are not delayed by all of them. */
const pauseMs = 20

/**
 * Encrypts values of outdated keys again. Every start does so: processes that started earlier still
 * write with the previous key. The last process to start finds all remaining values.
 */
export function reencryptColumns(service: Service): Reencryption {
  const stopping = new AbortController()
  const done = renewAll(service, stopping.signal).catch((error: unknown) => {
    if (!stopping.signal.aborted) service.log.error(error, 'columns could not be encrypted again')
  })
  const stop = () => {
    stopping.abort()
    return done
  }
  return { done, stop }
}

async function renewAll({ database, keys, log }: Service, signal: AbortSignal): Promise<void> {
  if (keys.outdated.length === 0) return
  let renewed = 0
  for (const columns of encryptedColumns) {
    let after: Value[] | undefined = []
    while (after) {
      const from: Value[] = after
      const { outdated, last } = await database.read((db) => readBatch(db, keys, columns, from))
      const renew = (db: Queries) => renewValues(db, keys, columns, outdated)
      if (outdated.length > 0) renewed += await database.transaction(renew, { isolation: 'row' })
      after = last
      await sleep(pauseMs, undefined, { signal })
    }
  }
  log.info({ renewed }, 'all columns are encrypted with the newest key')
}

type Row = Record<string, Value>

/** A value that an outdated key has encrypted. */
interface Outdated {
  row: Value[]
  column: string
  stored: string
}

/** Searches the rows after `after`, in the order of their key. */
async function readBatch(
  db: Queries,
  keys: Keys,
  { table, key, columns }: EncryptedColumns,
  after: readonly Value[],
): Promise<{ outdated: Outdated[]; last: Value[] | undefined }> {
  const names = key.join(', ')
  const places = after.map((_, index) => `$${index + 1}`).join(', ')
  const rows = await db.all<Row>(
    `select ${names}, ${columns.join(', ')} from ${table}
      ${after.length > 0 ? `where (${names}) > (${places})` : ''}
      order by ${names} limit ${batchSize}`,
    after,
  )
  const keyOf = (row: Row) => key.map((name) => row[name] ?? null)
  const outdated = rows.flatMap((row) =>
    columns.flatMap((column) => {
      const stored = row[column]
      if (typeof stored !== 'string' || !isOutdated(keys, stored)) return []
      return [{ row: keyOf(row), column, stored }]
    }),
  )
  const last = rows.length === batchSize ? rows.at(-1) : undefined
  return { outdated, last: last && keyOf(last) }
}

async function renewValues(
  db: Queries,
  keys: Keys,
  { table, key }: EncryptedColumns,
  outdated: readonly Outdated[],
): Promise<number> {
  let renewed = 0
  for (const { row, column, stored } of outdated) {
    const value = keys.encrypt(keys.decrypt(stored))
    renewed += await replaceValue(db, { table, key, column }, [...row, stored, value])
  }
  return renewed
}

const isOutdated = (keys: Keys, stored: string): boolean =>
  keys.outdated.some((prefix) => stored.startsWith(prefix))

/** Replaces the old value by the new one, unless another write has changed it. */
function replaceValue(
  db: Queries,
  { table, key, column }: { table: string; key: readonly string[]; column: string },
  values: readonly Value[],
): Promise<number> {
  const named = key.map((name, index) => `${name} = $${index + 1}`).join(' and ')
  return db.run(
    `update ${table} set ${column} = $${values.length}
      where ${named} and ${column} = $${values.length - 1}`,
    values,
  )
}
