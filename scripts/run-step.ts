import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { root } from './contract/contract.ts'

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

/**
 * Runs steps at once, which takes half the time of one after the other, and shows the output of each
 * as it ends. Gives back those that failed.
 */
export async function runTogether(steps: Step[]): Promise<Step[]> {
  const failed: Step[] = []
  const run = async (step: Step) => {
    const start = performance.now()
    const child = spawn(process.execPath, [join(root, step.file), ...step.args], {
      cwd: root,
      stdio: ['ignore', 'pipe', 'pipe'],
      env: { ...process.env, ...quiet, ...(process.stdout.isTTY ? { FORCE_COLOR: '1' } : {}) },
    })
    let output = ''
    for (const stream of [child.stdout, child.stderr]) {
      stream.setEncoding('utf8').on('data', (text) => {
        output += text
      })
    }
    const [status] = await once(child, 'close')
    if (status !== 0) failed.push(step)
    const seconds = ((performance.now() - start) / 1000).toFixed(1)
    const end = `${status === 0 ? '✓' : '✗'} ${step.name}, ${seconds} s`
    console.log(`\n▸ ${step.name}\n${output}${end}`)
  }
  await Promise.all(steps.map(run))
  return failed
}

/** Runs groups of steps one after the other, each at once, and fails if any step did. */
export async function runGroups(...groups: Step[][]): Promise<void> {
  const failed: Step[] = []
  for (const group of groups) failed.push(...(await runTogether(group)))
  if (failed.length === 0) return
  console.error(`\nfailed: ${failed.map(({ name }) => name).join(', ')}`)
  process.exitCode = 1
}
