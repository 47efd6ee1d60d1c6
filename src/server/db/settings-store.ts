import type { Queries } from '../kernel/database.ts'

/** What the database stores about the first start, and about compatible programs. */
export type SettingName =
  | 'seed'
  | 'anchor'
  | 'world'
  | 'fixture'
  | 'key_mark'
  | 'environment'
  | 'oldest_program'
  | 'last_used'
  | 'seeds_sealed'
  | 'institution_list'
  | 'category_list'

export const findSetting = async (db: Queries, name: SettingName): Promise<string | undefined> =>
  (await db.first<{ value: string }>('select value from settings where name = $1', [name]))?.value

/**
 * Writes a setting that does not exist yet. Returns false if another process has written it first.
 */
export const insertSetting = async (
  db: Queries,
  name: SettingName,
  value: string,
): Promise<boolean> =>
  (await db.run(
    'insert into settings (name, value) values ($1, $2) on conflict (name) do nothing',
    [name, value],
  )) > 0

/** Writes a setting, and replaces an existing value. */
export const putSetting = (db: Queries, name: SettingName, value: string): Promise<number> =>
  db.run(
    `insert into settings (name, value) values ($1, $2)
      on conflict (name) do update set value = excluded.value`,
    [name, value],
  )

export const replaceSetting = (db: Queries, name: SettingName, value: string): Promise<number> =>
  db.run('update settings set value = $2 where name = $1', [name, value])

export const deleteSetting = (db: Queries, name: SettingName): Promise<number> =>
  db.run('delete from settings where name = $1', [name])

/** Whether the first start has finished. */
export const isFilled = async (db: Queries): Promise<boolean> =>
  (await findSetting(db, 'seed')) !== undefined ||
  (await db.first('select client_id from clients limit 1')) !== undefined

/** A client with one of these secrets or this public key. */
export const findOpenClient = async (
  db: Queries,
  secretHashes: readonly string[],
  publicKey: string,
): Promise<string | undefined> => {
  const places = secretHashes.map((_, index) => `$${index + 2}`).join(', ')
  const row = await db.first<{ client_id: string }>(
    `select client_id from clients where public_key = $1 or secret_hash in (${places})
      order by client_id limit 1`,
    [publicKey, ...secretHashes],
  )
  return row?.client_id
}
