import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { root } from '../../../scripts/contract/contract.ts'
import { endsWithUs } from '../../support/children.ts'

/** How a program ended, and what it said. */
export interface Ended {
  code: number | null
  output: string
  errors: string
  ms: number
}

/** Runs a program to its end; without one of that name there is no code. */
export async function run(program: string, args: readonly string[]): Promise<Ended> {
  const begun = performance.now()
  const child = endsWithUs(spawn(program, args, { stdio: ['ignore', 'pipe', 'pipe'] }))
  const [output, errors, [code]] = await Promise.all([
    text(child.stdout),
    text(child.stderr),
    once(child, 'exit').catch(() => [null]),
  ])
  return { code, output, errors, ms: Math.round(performance.now() - begun) }
}

/** Runs the command that makes a backup, as an operator does. */
export const runBackup = (...args: string[]): Promise<Ended> =>
  run(process.execPath, [join(root, 'src/cli/main.ts'), 'backup', ...args])
