import { isMain, takeArguments } from '../command.ts'
import { runGroups, type Step } from '../run-step.ts'

export const typeSteps: Step[] = [
  { name: 'types', file: 'node_modules/typescript/bin/tsc', args: ['--noEmit'] },
  {
    name: 'types of the dashboard',
    file: 'node_modules/vue-tsc/bin/vue-tsc.js',
    args: ['--noEmit', '--project', 'src/dashboard'],
  },
]

const usage = `usage: npm run typecheck
Checks the TypeScript, and that of the dashboard's pages.`

if (isMain(import.meta.filename)) {
  takeArguments(usage)
  await runGroups(typeSteps)
}
