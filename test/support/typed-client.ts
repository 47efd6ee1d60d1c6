import { type ChildProcess, spawn } from 'node:child_process'
import { existsSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { root } from '../../scripts/contract/contract.ts'
import { endsWithUs } from './children.ts'
import { attempt, type Ended } from './installed-package.ts'

const main = join(root, 'src/cli/main.ts')

/** A command that runs. */
export interface Running {
  child: ChildProcess
  output(): string
  errors(): string
  /** Resolves with its exit code. */
  ended: Promise<number | null>
}

/** Runs commands of somebody who builds on a service, with a configuration folder of their own. */
export interface TypedClient {
  folder: string
  env: Record<string, string>
  command(args: readonly string[], input?: string, env?: Record<string, string>): Promise<Ended>
  /** Begins a command that runs until somebody ends it. */
  begin(args: readonly string[], env?: Record<string, string>): Running
  /** Begins a command in a pseudo-terminal. */
  inTerminal(args: readonly string[], env?: Record<string, string>): Running
  remove(): void
}

const script = '/usr/bin/script'

/** Whether a test can run a command in a pseudo-terminal here. */
export const hasTerminal = existsSync(script)

export function openTypedClient(): TypedClient {
  const folder = mkdtempSync(join(tmpdir(), 'typed-client-'))
  const { PATH = '', NODE_COMPILE_CACHE = '' } = process.env
  const env = { PATH, NODE_COMPILE_CACHE, HOME: folder, XDG_CONFIG_HOME: join(folder, 'config') }
  const start = (program: string, args: readonly string[], own: Record<string, string>) => {
    const child = endsWithUs(spawn(program, args, { cwd: folder, env: { ...env, ...own } }))
    return watch(child)
  }
  return {
    folder,
    env,
    command: (args, input = '', own = {}) =>
      attempt(process.execPath, [main, ...args], { cwd: folder, input, env: { ...env, ...own } }),
    begin: (args, own = {}) => start(process.execPath, [main, ...args], own),
    inTerminal(args, own = {}) {
      const quoted = [process.execPath, main, ...args].map((one) => `'${one}'`).join(' ')
      return start(script, ['-qec', `exec ${quoted}`, '/dev/null'], {
        TERM: 'xterm',
        SHELL: '/bin/sh',
        ...own,
      })
    },
    remove: () => rmSync(folder, { recursive: true }),
  }
}

function watch(child: ChildProcess): Running {
  const told = { output: '', errors: '' }
  child.stdout?.setEncoding('utf8').on('data', (text) => {
    told.output += text
  })
  child.stderr?.setEncoding('utf8').on('data', (text) => {
    told.errors += text
  })
  const ended = new Promise<number | null>((resolve) => child.once('close', resolve))
  return { child, output: () => told.output, errors: () => told.errors, ended }
}
