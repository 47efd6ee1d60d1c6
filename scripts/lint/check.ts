import { takeArguments } from '../command.ts'
import { runGroups, type Step } from '../run-step.ts'
import { lintSteps } from './main.ts'

// What `npm run check` does: every check that is not a test. The argument is the base of the comparison of
// callers, which needs the generated files to be right, as all of the second group does.

const usage = `usage: npm run check [-- REVISION]
Runs every check that is not a test: lint, types, generated files, docs, sizes, and what changes for callers
since a revision (the main branch).`

const base = takeArguments(usage, 1).positionals

const drift: Step = {
  name: 'generated files are up to date',
  file: 'scripts/generate/drift.ts',
  args: [],
}
const others: Step[] = [
  { name: 'types', file: 'node_modules/typescript/bin/tsc', args: ['--noEmit'] },
  {
    name: 'types of the dashboard',
    file: 'node_modules/vue-tsc/bin/vue-tsc.js',
    args: ['--noEmit', '--project', 'src/dashboard'],
  },
  { name: 'docs', file: 'scripts/docs/main.ts', args: [] },
  { name: 'sizes', file: 'scripts/build/sizes.ts', args: [] },
  { name: 'callers', file: 'scripts/diff/main.ts', args: base },
]

await runGroups([...lintSteps.sources, drift], [...lintSteps.bundles, ...others])
