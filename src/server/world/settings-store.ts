import type { Queries } from '../db/database.ts'

/** What is remembered of the world that was loaded at the first start. */
export type SettingName = 'seed' | 'anchor' | 'world' | 'fixture'

export const findSetting = async (db: Queries, name: SettingName): Promise<string | undefined> =>
  (await db.first<{ value: string }>('select value from settings where name = $1', [name]))?.value

export async function saveSetting(db: Queries, name: SettingName, value: string): Promise<void> {
  await db.run(
    `insert into settings (name, value) values ($1, $2)
      on conflict (name) do update set value = excluded.value`,
    [name, value],
  )
}

/** Whether anybody can sign in, that is whether a first start is over. */
export const hasClients = async (db: Queries): Promise<boolean> =>
  (await db.first('select client_id from clients limit 1')) !== undefined
