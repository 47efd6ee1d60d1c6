import { canStartServers, createInstance, type Instance } from './postgres-instance.ts'

/** Nothing of a run has to outlive a power cut. */
const settings = {
  fsync: 'off',
  full_page_writes: 'off',
  // It would choose when plans change.
  autovacuum: 'off',
  max_connections: '200',
}

/**
 * A PostgreSQL server for one run of the tests, unless TEST_DATABASE_URL names one. Each test has a
 * database of its own, and a server that waits for its disk takes seconds to drop one.
 */
export async function startRunServer(): Promise<Instance | undefined> {
  if (process.env['TEST_DATABASE_URL'] !== undefined || !canStartServers) return undefined
  const instance = await createInstance(settings)
  await instance.sql((sql) => sql`create database test`)
  return instance
}
