import { runGroups, type Step } from '../run-step.ts'
import { lintSteps } from './main.ts'

// What `npm run check` does: every check that is not a test. The argument is the base of the comparison of
// callers, which needs the generated files to be right, as all of the second group does.

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
  { name: 'callers', file: 'scripts/diff/main.ts', args: process.argv.slice(2) },
]

await runGroups([...lintSteps.sources, drift], [...lintSteps.bundles, ...others])
