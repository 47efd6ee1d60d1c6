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
  const endOf = clock(name)
  const env = { ...process.env, ...quiet }
  const all = [join(root, file), ...args]
  const { status } = spawnSync(process.execPath, all, { cwd: root, stdio: 'inherit', env })
  console.log(endOf(status))
  return status === 0
}

/** The line that ends a step: how it went, and how long it took. */
function clock(name: string): (status: number | null) => string {
  const start = performance.now()
  return (status) => {
    const seconds = ((performance.now() - start) / 1000).toFixed(1)
    return `${status === 0 ? '✓' : '✗'} ${name}, ${seconds} s`
  }
}

/**
 * Runs steps at once, which takes half the time of one after the other, and shows the output of each
 * as it ends. Gives back those that failed.
 */
export async function runTogether(
  steps: Step[],
  folder: string = root,
  environment: Record<string, string> = {},
): Promise<Step[]> {
  const failed: Step[] = []
  const colors = process.stdout.isTTY ? { FORCE_COLOR: '1' } : {}
  const run = async (step: Step) => {
    const endOf = clock(step.name)
    const child = spawn(process.execPath, [join(folder, step.file), ...step.args], {
      cwd: folder,
      stdio: ['ignore', 'pipe', 'pipe'],
      env: { ...process.env, ...quiet, ...colors, ...environment },
    })
    let output = ''
    for (const stream of [child.stdout, child.stderr]) {
      stream.setEncoding('utf8').on('data', (text) => {
        output += text
      })
    }
    const [status] = await once(child, 'close')
    if (status !== 0) failed.push(step)
    console.log(`\n▸ ${step.name}\n${output}${endOf(status)}`)
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
