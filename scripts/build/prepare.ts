import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { root } from '../contract/contract.ts'
import { runStep } from '../run-step.ts'

const usage = `usage: npm run prepare
Leaves a checkout ready after \`npm ci\`: the built program and the docs.`

/** Leaves a checkout ready after `npm ci`: the built program and the docs. */
async function prepare(): Promise<boolean> {
  if (!existsSync(join(root, 'node_modules/typescript'))) {
    console.log('development packages are not installed, so nothing is built')
    return true
  }
  // It needs one of those packages.
  const { takeArguments } = await import('../command.ts')
  takeArguments(usage)
  return ['build', 'docs'].every((name) =>
    runStep({ name, file: `scripts/${name}/main.ts`, args: [] }),
  )
}

if (!(await prepare())) process.exitCode = 1
