import { defineConfig } from 'vitest/config'

// Without a filter of tests, as for what runs while a file is loaded, Stryker runs all of these.
export default defineConfig({
  test: {
    include: (process.env['MUTATE_TESTS'] ?? '').split('|'),
    env: { TEST_ENGINE: 'sqlite' },
    isolate: false,
    testTimeout: 30_000,
    hookTimeout: 60_000,
  },
})
