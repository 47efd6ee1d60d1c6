import { reject, takeArguments } from '../command.ts'
import { root } from '../contract/contract.ts'
import { findBase, gitIn, UsageError } from '../diff/base.ts'
import { runGroups, type Step } from '../run-step.ts'
import { lintSteps } from './main.ts'
import { typeSteps } from './typecheck.ts'

// What `npm run check` does: every check that is not a test. The argument is the base of the comparison of
// callers, which needs the generated files to be right, as all of the second group does.

const usage = `usage: npm run check [-- REVISION]
Runs every check that is not a test: lint, types, generated files, docs, sizes, and what changes for callers
since a revision (the main branch).`

const base = takeArguments(usage, 1).positionals
for (const revision of base) requireRevision(revision)

const drift: Step = {
  name: 'generated files are up to date',
  file: 'scripts/generate/drift.ts',
  args: [],
}
const others: Step[] = [
  ...typeSteps,
  { name: 'docs', file: 'scripts/docs/main.ts', args: [] },
  { name: 'sizes', file: 'scripts/build/sizes.ts', args: [] },
  { name: 'callers', file: 'scripts/diff/main.ts', args: base },
]

await runGroups([...lintSteps.sources, drift], [...lintSteps.bundles, ...others])

/** The comparison comes last, and would find out after minutes that there is no such revision. */
function requireRevision(revision: string): void {
  try {
    findBase(gitIn(root), revision)
  } catch (error) {
    if (!(error instanceof UsageError)) throw error
    reject(error.message)
  }
}
