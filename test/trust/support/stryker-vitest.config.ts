import { join } from 'node:path'
import { defineConfig } from 'vitest/config'

// Without a filter of tests, as for what runs while a file is loaded, Stryker runs all of these.
export default defineConfig({
  test: {
    include: (process.env['MUTATE_TESTS'] ?? '').split('|'),
    env: { TEST_ENGINE: 'sqlite' },
    setupFiles: [join(import.meta.dirname, 'stryker-setup.ts')],
    isolate: false,
    // Node imports the files in half the time.
    experimental: { viteModuleRunner: false, nodeLoader: false },
    testTimeout: 30_000,
    hookTimeout: 60_000,
  },
})
