import { join } from 'node:path'
import { defineConfig } from 'vitest/config'
import { isServerThere, serverUrl } from './test/support/postgres-server.ts'

// Programs that tests start, most of all the service, need not be compiled each time.
process.env['NODE_COMPILE_CACHE'] ??= join(import.meta.dirname, '.cache/node')

// These have nothing to do with the store, or choose one themselves, and so run once.
const withoutEngine = [
  'test/server/{small-rules,transfers-reasons,identity-verification-checks,institutions-directory}.test.ts',
  'test/server/{compiled-code,docs-readers,institutions-directories,kept-rows,list-text,shared-commits,shared-reads,versions-edit-text}.test.ts',
  'test/server/{cors,every-operation-versions,guess-limits,hosts,http-edge,ids,invented-version}.test.ts',
  'test/server/{jobs-command,many-processes,start-data,unknown-fields,watch-writes}.test.ts',
  'test/server/{mock-and-service,options,peer-address,proxy,retry,sqlite,start,transactions-model}.test.ts',
  'test/server/{transfers-calendar,version-files,version-steps,versions-equation,world-files}.test.ts',
  'test/server/world/**',
]
const onlyPostgres = ['test/server/postgres*.test.ts']

/** Runs once on each engine what the service does; all the rest runs beside the embedded one. */
const engines = {
  sqlite: { include: ['test/**/*.test.ts'], exclude: onlyPostgres },
  postgres: { include: ['test/server/**/*.test.ts'], exclude: withoutEngine },
}

/** The engines to test on: those that are here, or the one that TEST_ENGINE names. */
async function listEngines(): Promise<(keyof typeof engines)[]> {
  const named = process.env['TEST_ENGINE']
  if (named === 'sqlite' || named === 'postgres') return [named]
  if (await isServerThere()) return ['sqlite', 'postgres']
  const { host } = new URL(serverUrl)
  const message = `the service on PostgreSQL: no server answers at ${host} (TEST_DATABASE_URL)`
  if (process.env['REQUIRE_ALL'] === '1') throw new Error(message)
  console.log(`SKIPPED: ${message}`)
  return ['sqlite']
}

export default defineConfig(async () => ({
  test: {
    testTimeout: 30_000,
    hookTimeout: 60_000,
    // Each file starts what it needs itself. The modules of a worker serve all of its files, since
    // loading and compiling them anew for each would take more time than the tests.
    isolate: false,
    maxWorkers: '100%',
    projects: (await listEngines()).map((name) => ({
      extends: true as const,
      test: {
        name,
        include: engines[name].include,
        exclude: ['test/{consumers,trust}/**', '**/node_modules/**', ...engines[name].exclude],
        env: { TEST_ENGINE: name },
      },
    })),
  },
}))
