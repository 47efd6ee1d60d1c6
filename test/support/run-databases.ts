import { asAdmin, isServerThere } from './postgres-server.ts'

// The databases of a run of tests: they are dropped at its end, all at once. Dropping one after each
// test took longer than the tests, since the server then writes all that it has to disk.

/** Whether a run drops the databases of its tests itself. */
export const isRun = process.env['TEST_RUN'] !== undefined

/** How the names of its databases begin; of a test outside of a run, after its own process. */
export const runPrefix = `test_${process.env['TEST_RUN'] ?? process.pid}_`

const atOnce = 8

export const dropDatabases = (names: readonly string[]): Promise<void> =>
  asAdmin(async (sql) => {
    for (const name of names) await sql.unsafe(`drop database if exists ${name} (force)`)
  })

/** Vitest calls it once, after the last test. */
export async function teardown(): Promise<void> {
  if (!(await isServerThere())) return
  const left = await asAdmin(
    (sql) => sql<{ datname: string }[]>`
    select datname from pg_database where starts_with(datname, ${runPrefix})`,
  )
  const names = left.map(({ datname }) => datname)
  const parts = Array.from({ length: atOnce }, (_, part) =>
    names.filter((_name, index) => index % atOnce === part),
  )
  await Promise.all(parts.map(dropDatabases))
}
