import { spawnSync } from 'node:child_process'
import { join } from 'node:path'
import { root } from './contract.ts'

/** A program that a package brings, run by this very Node. */
export interface Step {
  name: string
  /** The program's file, from the root folder. */
  file: string
  args: string[]
}

const quiet = {
  REDOCLY_TELEMETRY: 'off',
  REDOCLY_SUPPRESS_UPDATE_NOTICE: 'true',
  SCARF_ANALYTICS: 'false',
}

/** Runs the step, shows its output, and tells whether it succeeded. */
export function runStep({ name, file, args }: Step): boolean {
  console.log(`\n▸ ${name}`)
  const start = performance.now()
  const { status } = spawnSync(process.execPath, [join(root, file), ...args], {
    cwd: root,
    stdio: 'inherit',
    env: { ...process.env, ...quiet },
  })
  const seconds = ((performance.now() - start) / 1000).toFixed(1)
  console.log(`${status === 0 ? '✓' : '✗'} ${name}, ${seconds} s`)
  return status === 0
}

/** Runs every step, so that one finding does not hide another, and fails if any did. */
export function runAll(steps: Step[]): void {
  const failed = steps.filter((step) => !runStep(step)).map(({ name }) => name)
  if (failed.length === 0) return
  console.error(`\nfailed: ${failed.join(', ')}`)
  process.exitCode = 1
}
