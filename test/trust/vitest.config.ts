import { join } from 'node:path'
import { defineConfig } from 'vitest/config'

const root = join(import.meta.dirname, '../..')

process.env['NODE_COMPILE_CACHE'] ??= join(root, '.cache/node')

// One file after the other: each measures, kills or fills something of its own, and wants the
// machine for itself. A test sets its own time limit, by its scale.
export default defineConfig({
  root,
  test: {
    include: ['test/trust/*.test.ts'],
    setupFiles: ['test/trust/support/end-children.ts'],
    fileParallelism: false,
    maxConcurrency: 1,
    testTimeout: 120_000,
    hookTimeout: 120_000,
    teardownTimeout: 30_000,
  },
})
