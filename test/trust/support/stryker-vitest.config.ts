import { join } from 'node:path'
import { defineConfig } from 'vitest/config'
import { BaseSequencer, type TestSpecification } from 'vitest/node'

const files = (process.env['MUTATE_TESTS'] ?? '').split('|')

/** In the order of the list: a run ends with the first test that fails. */
class InOrder extends BaseSequencer {
  override async sort(specifications: TestSpecification[]): Promise<TestSpecification[]> {
    const place = ({ moduleId }: TestSpecification) =>
      files.findIndex((file) => moduleId.endsWith(`/${file}`))
    return specifications.sort((one, other) => place(one) - place(other))
  }
}

// Without a filter of tests, as for what runs while a file is loaded, Stryker runs all of these.
export default defineConfig({
  test: {
    include: files,
    sequence: { sequencer: InOrder },
    env: { TEST_ENGINE: 'sqlite' },
    setupFiles: [join(import.meta.dirname, 'stryker-setup.ts')],
    isolate: false,
    // Node imports the files in half the time.
    experimental: { viteModuleRunner: false, nodeLoader: false },
    // Limits are for tests that hang. On a slow machine no change may fail a test by its time.
    testTimeout: 120_000,
    hookTimeout: 240_000,
    expect: { poll: { timeout: 20_000 } },
  },
})
