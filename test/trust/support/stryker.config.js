import { join } from 'node:path'

const list = (name) => (process.env[name] ?? '').split('|').filter(Boolean)
const beside = (name) => join(import.meta.dirname, name)

/** How Stryker runs; what is mutated, and by which tests, comes from `run-stryker.ts`. */
export default {
  testRunner: 'vitest',
  plugins: ['@stryker-mutator/vitest-runner', beside('stryker-plugins.js')],
  ignorers: ['sample'],
  vitest: {
    configFile: 'test/trust/support/stryker-vitest.config.ts',
    related: false,
    pool: 'threads',
  },
  coverageAnalysis: 'perTest',
  mutate: list('MUTATE'),
  concurrency: Number(process.env['MUTATE_AT_ONCE'] ?? 2),
  reporters: ['lines', 'progress-append-only'],
  // Node finds the packages of the repository from there.
  tempDirName: '.cache/stryker',
  symlinkNodeModules: false,
  ignorePatterns: ['.cache', 'data', 'dist/*', '!dist/docs'],
  // A busy machine may take its time; a change must not count as noticed because of it.
  timeoutMS: 90_000,
  timeoutFactor: 6,
  ignoreStatic: process.env['MUTATE_STATIC'] !== '1',
}
