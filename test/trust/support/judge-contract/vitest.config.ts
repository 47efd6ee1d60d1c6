import { join } from 'node:path'
import { defineConfig } from 'vitest/config'

const root = join(import.meta.dirname, '../../../..')

// Runs tests of the service as they are, and keeps the traffic. What they find is not of interest.
export default defineConfig({
  root,
  test: {
    include: (process.env['TRAFFIC_TESTS'] ?? '').split('|'),
    setupFiles: [join(import.meta.dirname, 'record-traffic.ts')],
    env: { TEST_ENGINE: 'sqlite' },
    isolate: false,
    testTimeout: 60_000,
    hookTimeout: 60_000,
    maxWorkers: 2,
  },
})
