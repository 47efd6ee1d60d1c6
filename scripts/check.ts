import { lintSteps } from './lint.ts'
import { runGroups } from './run-step.ts'

// What the pull-request check says of the contract: mistakes, generated files, and callers. The
// argument is the base of the comparison, which needs the generated files to be right.
const drift = { name: 'generated files are up to date', file: 'scripts/drift.ts', args: [] }
const diff = { name: 'callers', file: 'scripts/diff.ts', args: process.argv.slice(2) }

await runGroups([...lintSteps.sources, drift], [...lintSteps.bundles, diff])
