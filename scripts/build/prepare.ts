import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { root } from '../contract/contract.ts'
import { runStep } from '../run-step.ts'

/** Leaves a checkout ready after `npm ci`: the built program and the docs. */
function prepare(): boolean {
  if (!existsSync(join(root, 'node_modules/typescript'))) {
    console.log('development packages are not installed, so nothing is built')
    return true
  }
  return ['build', 'docs'].every((name) =>
    runStep({ name, file: `scripts/${name}/main.ts`, args: [] }),
  )
}

if (!prepare()) process.exitCode = 1
