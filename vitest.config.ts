import { availableParallelism } from 'node:os'
import { join } from 'node:path'
import { defineConfig } from 'vitest/config'
import {
  isOnePerEngine,
  isUsualRun,
  onBothEngines,
  onlyByName,
  onlyInAll,
  onlyPostgres,
  withoutEngine,
} from './test/sets.ts'
import { isServerThere, serverUrl } from './test/support/postgres-server.ts'

// Programs that tests start, most of all the service, need not be compiled each time.
process.env['NODE_COMPILE_CACHE'] ??= join(import.meta.dirname, '.cache/node')

// A file that is named runs wherever it can.
const left = [...onlyByName, ...(isUsualRun ? onlyInAll : [])]

/** Each engine with the files that run on it; files that need no engine run beside SQLite. */
const engines = {
  sqlite: { include: ['test/**/*.test.ts'], exclude: [...left, ...onlyPostgres] },
  postgres: isOnePerEngine
    ? { include: [...onBothEngines, ...onlyPostgres], exclude: [...onlyByName, ...onlyInAll] }
    : { include: ['test/server/**/*.test.ts'], exclude: [...onlyByName, ...withoutEngine] },
}

/** The engines to test on: those that are here, or the one that TEST_ENGINE names. */
async function listEngines(): Promise<(keyof typeof engines)[]> {
  const named = process.env['TEST_ENGINE']
  if (named === 'sqlite' || named === 'postgres') return [named]
  if (named) throw new Error(`TEST_ENGINE must be sqlite or postgres, not '${named}'`)
  if (await isServerThere()) return ['sqlite', 'postgres']
  const { host } = new URL(serverUrl)
  const message = `the service on PostgreSQL: no server answers at ${host} (TEST_DATABASE_URL)`
  if (process.env['REQUIRE_ALL'] === '1') throw new Error(message)
  console.log(`SKIPPED: ${message}`)
  return ['sqlite']
}

export default defineConfig(async () => ({
  test: {
    // Limits are for what hangs; a busy machine may take its time.
    testTimeout: 180_000,
    hookTimeout: 180_000,
    expect: { poll: { timeout: 20_000 } },
    // Each file starts what it needs itself. The modules of a worker serve all of its files, since
    // loading and compiling them again for each would take more time than the tests.
    isolate: false,
    // Tests wait for databases, processes and timers for a third of their time.
    maxWorkers: Math.ceil(1.5 * availableParallelism()),
    projects: (await listEngines()).map((name) => ({
      extends: true as const,
      test: {
        name,
        include: [...engines[name].include],
        exclude: ['test/{consumers,trust}/**', '**/node_modules/**', ...engines[name].exclude],
        env: { TEST_ENGINE: name },
      },
    })),
  },
}))
