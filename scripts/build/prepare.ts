import { execFileSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { root } from '../contract/contract.ts'

/** Leaves a checkout ready after `npm ci`: the built program and the docs. */
function prepare(): void {
  if (!existsSync(join(root, 'node_modules/typescript'))) {
    console.log('development packages are not installed, so nothing is built')
    return
  }
  for (const script of ['build', 'docs']) {
    const start = performance.now()
    const file = join(root, 'scripts', script, 'main.ts')
    execFileSync(process.execPath, [file], { stdio: 'inherit', cwd: root })
    console.log(`${script.padEnd(6)} ${((performance.now() - start) / 1000).toFixed(1)} s`)
  }
}

prepare()
