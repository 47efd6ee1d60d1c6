import { lintSteps } from './lint.ts'
import { runTogether, type Step } from './run-step.ts'
import { conclude, runTests } from './run-tests.ts'

// What `npm test` and so CI runs: drift of generated files, lint, types, docs, and every test. With
// arguments it runs just the tests that they name, as `npm test -- test/contract/mock.test.ts`.

const drift = { name: 'generated files are up to date', file: 'scripts/drift.ts', args: [] }

// What reads generated files waits until they have been made anew.
const groups: Step[][] = [
  [drift, ...lintSteps.sources],
  [
    { name: 'types', file: 'node_modules/typescript/bin/tsc', args: ['--noEmit'] },
    { name: 'docs', file: 'scripts/docs.ts', args: [] },
    { name: 'sizes of the client', file: 'scripts/sizes.ts', args: [] },
    ...lintSteps.bundles,
  ],
]

const filters = process.argv.slice(2)
const failed: Step[] = []
if (filters.length === 0) for (const group of groups) failed.push(...(await runTogether(group)))
const outcome = await runTests(filters)
const names = failed.map(({ name }) => name)
process.exitCode = conclude(outcome, names) ? 0 : 1
