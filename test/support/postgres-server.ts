import postgres from 'postgres'

/** The server that tests use, by a database that they leave alone. */
export const serverUrl =
  process.env['TEST_DATABASE_URL'] ?? 'postgres://postgres@127.0.0.1:5432/test'

/** The address of another database there. */
export function urlOf(name: string): string {
  const url = new URL(serverUrl)
  url.pathname = `/${name}`
  return url.href
}

/** Runs statements that stand outside the databases of tests. */
export async function asAdmin<Result>(
  work: (sql: postgres.Sql) => Promise<Result>,
): Promise<Result> {
  const sql = postgres(serverUrl, { max: 1, connect_timeout: 5, onnotice: () => {} })
  try {
    return await work(sql)
  } finally {
    await sql.end()
  }
}

/** Whether there is a server that answers. */
export async function isServerThere(): Promise<boolean> {
  try {
    await asAdmin((sql) => sql`select 1`)
    return true
  } catch {
    return false
  }
}
