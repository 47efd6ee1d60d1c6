import { defineConfig } from 'vitest/config'

export default defineConfig({
  test: {
    include: ['test/**/*.test.ts'],
    exclude: ['test/consumers/**', '**/node_modules/**'],
    // Each file starts what it needs itself; nothing is shared but the generated files.
    testTimeout: 30_000,
  },
})
