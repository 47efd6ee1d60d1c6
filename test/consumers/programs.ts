import { spawn } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { root } from '../../scripts/contract/contract.ts'

export const here = import.meta.dirname

interface Manifest {
  version: string
  bin?: string | Record<string, string>
}

const environment = {
  CI: 'true',
  NO_COLOR: '1',
  FORCE_COLOR: '0',
  DO_NOT_TRACK: '1',
  NO_UPDATE_NOTIFIER: '1',
  REDOCLY_SUPPRESS_UPDATE_NOTICE: 'true',
  REDOCLY_TELEMETRY: 'off',
  SCARF_ANALYTICS: 'false',
}

/** Where a package is: what the project uses itself is not installed a second time. */
export function packageFolder(name: string): string {
  const own = join(here, 'node_modules', name)
  return existsSync(own) ? own : join(root, 'node_modules', name)
}

export function packageVersion(name: string): string {
  return manifest(name).version
}

function manifest(name: string): Manifest {
  return JSON.parse(readFileSync(join(packageFolder(name), 'package.json'), 'utf8')) as Manifest
}

/** The file behind a package's command. */
function command(name: string, bin?: string): string {
  const bins = manifest(name).bin ?? {}
  const file = typeof bins === 'string' ? bins : (bins[bin ?? ''] ?? Object.values(bins)[0])
  return join(packageFolder(name), file ?? '')
}

export interface Program {
  /** The package, and the command where it brings several. */
  name: string
  bin?: string
  args: string[]
  cwd: string
  env?: Record<string, string>
}

/** Starts a package's command by this very Node. */
export function start({ name, bin, args, cwd, env }: Program) {
  return spawn(process.execPath, [command(name, bin), ...args], {
    cwd,
    env: { ...process.env, ...environment, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
}

const limit = 180_000

/** Runs a package's command: its exit code, and everything that it printed. */
export async function attempt(program: Program): Promise<{ status: unknown; output: string }> {
  const child = start(program)
  const timer = setTimeout(() => child.kill('SIGKILL'), limit)
  let output = ''
  child.stdout.on('data', (data: Buffer) => (output += data))
  child.stderr.on('data', (data: Buffer) => (output += data))
  const status = await new Promise((done) => child.on('close', done))
  clearTimeout(timer)
  return { status, output }
}

/** Runs a package's command. It has to succeed, and to have nothing to warn of. */
export async function run(program: Program): Promise<void> {
  const { status, output } = await attempt(program)
  if (status !== 0) throw new Error(`${program.name} ended with ${status}\n${tail(output)}`)
  if (/\bwarn(ing)?s?\b|⚠/i.test(output)) throw new Error(`a warning\n${tail(output)}`)
}

export const tail = (output: string): string => output.trim().split('\n').slice(-40).join('\n')
