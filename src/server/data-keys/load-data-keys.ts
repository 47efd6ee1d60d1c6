import { randomBytes } from 'node:crypto'
import type { FoundKey } from '../config/encryption-key.ts'
import { ConfigError } from '../config/read-option.ts'
import { findSetting } from '../db/settings-store.ts'
import type { Queries } from '../kernel/database.ts'
import { createKeys, type DataKeys } from '../kernel/keys.ts'
import { type Master, type OpenedKey, openKey, sealKey, toMaster } from './master.ts'
import { type DataKeyRow, deleteDataKeysOf, listDataKeys, putDataKey } from './store.ts'

/** Tells in the same transaction that ENCRYPTION_KEY was replaced, or that an older one was retired. */
export type NoteKeyChange = (db: Queries, change: 'replace' | 'retire') => Promise<void>

/**
 * Returns the data keys, decrypted with ENCRYPTION_KEY. If that key is new, the data keys are
 * decrypted with one of `previous` and also encrypted with the new one. Processes with the old key
 * and with the new key can then run side by side. After a start without previous keys, the old key
 * decrypts nothing any more.
 */
export async function loadDataKeys(
  db: Queries,
  found: FoundKey,
  note: NoteKeyChange = async () => {},
): Promise<DataKeys> {
  const masters = [found.key, ...found.previous].map(toMaster)
  const [current] = masters as [Master]
  const before = await listDataKeys(db)
  const rows = before.length > 0 ? before : await makeFirst(db, found, masters)
  const opener = chooseOpener(rows, masters)
  if (!opener) throw wrongKey(found)
  const opened = rows
    .filter((row) => row.master_id === opener.id)
    .map((row) => openKey(opener, row))
  if (opener === current) {
    if (await dropOlder(db, rows, masters)) await note(db, 'retire')
    return inUse(opened, rows, masters)
  }
  const added = await putUnder(db, current, opened, newestOf(rows))
  await note(db, 'replace')
  return inUse([...opened, ...added.fresh], [...rows, ...added.rows], masters)
}

function wrongKey({ name, previous }: FoundKey): ConfigError {
  const names = previous.length > 0 ? `${name} or one of ENCRYPTION_KEY_PREVIOUS` : name
  return new ConfigError(`${names} must be the key that the data was written with`)
}

const newestOf = (rows: readonly DataKeyRow[]): number =>
  Math.max(0, ...rows.map((row) => row.master_number))

/** The given key that came into use last. That is the first one given, unless it is new. */
function chooseOpener(rows: readonly DataKeyRow[], masters: readonly Master[]): Master | undefined {
  const numberOf = ({ id }: Master) => newestOf(rows.filter((row) => row.master_id === id))
  const known = masters.filter((master) => numberOf(master) > 0)
  return known.sort((one, other) => numberOf(other) - numberOf(one))[0]
}

/** Creates the data keys of an empty database, or of data from before data keys existed. */
async function makeFirst(
  db: Queries,
  found: FoundKey,
  masters: readonly Master[],
): Promise<DataKeyRow[]> {
  const mark = await findSetting(db, 'key_mark')
  const [current] = masters as [Master]
  const isOwner = ({ key }: Master) => createKeys(key).hash('the key of this data') === mark
  const owner = mark === undefined ? current : masters.find(isOwner)
  if (!owner) throw wrongKey(found)
  // Such data was hashed and encrypted with keys derived from ENCRYPTION_KEY itself.
  const first = () => (mark === undefined ? randomBytes(32) : owner.key)
  const keys: OpenedKey[] = [
    { purpose: 'columns', number: 1, key: first() },
    { purpose: 'hashing', number: 1, key: first() },
  ]
  if (mark === undefined) found.keep()
  const rows = keys.map((key) => sealKey(owner, key, 1))
  for (const row of rows) await putDataKey(db, row)
  return rows
}

/** Encrypts all keys with a new master, and adds a column key that only the new master decrypts. */
async function putUnder(db: Queries, master: Master, opened: OpenedKey[], newest: number) {
  const last = Math.max(
    ...opened.map(({ purpose, number }) => (purpose === 'columns' ? number : 0)),
  )
  const fresh: OpenedKey[] = [{ purpose: 'columns', number: last + 1, key: randomBytes(32) }]
  const rows = [...opened, ...fresh].map((key) => sealKey(master, key, newest + 1))
  for (const row of rows) await putDataKey(db, row)
  return { fresh, rows }
}

/** Deletes the keys of masters that are older than the first one and no longer given. Returns whether there were some. */
async function dropOlder(
  db: Queries,
  rows: readonly DataKeyRow[],
  masters: readonly Master[],
): Promise<boolean> {
  const own = newestOf(rows.filter((row) => row.master_id === masters[0]?.id))
  const older = rows.filter(({ master_number }) => master_number < own)
  const ids = new Set(older.map(({ master_id }) => master_id))
  for (const { id } of masters) ids.delete(id)
  for (const id of ids) await deleteDataKeysOf(db, id)
  return ids.size > 0
}

/** Encrypts with the newest column key that all processes can decrypt. */
function inUse(
  opened: readonly OpenedKey[],
  rows: readonly DataKeyRow[],
  masters: readonly Master[],
): DataKeys {
  const hashing = opened.find(({ purpose }) => purpose === 'hashing')
  const columns = opened.filter(({ purpose }) => purpose === 'columns')
  // A process with the previous master, which may run at the same time, decrypts only its own rows.
  const opens = (id: string, number: number) =>
    rows.some((row) => row.master_id === id && row.purpose === 'columns' && row.number === number)
  const known = masters.filter(({ id }) => rows.some((row) => row.master_id === id))
  const usable = columns.filter(({ number }) => known.every(({ id }) => opens(id, number)))
  const encrypting = usable.at(-1)
  if (!hashing || !encrypting) throw new Error('the keys of the data are not complete')
  return {
    hashing: hashing.key,
    columns: columns.map(({ key }) => key),
    encrypting: encrypting.key,
  }
}
