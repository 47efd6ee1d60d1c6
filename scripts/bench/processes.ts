import { type ChildProcess, type SpawnOptions, spawn } from 'node:child_process'
import { once } from 'node:events'
import { closeSync, openSync, readFileSync } from 'node:fs'
import { createInterface } from 'node:readline'
import { setTimeout as sleep } from 'node:timers/promises'

/** A program that listens, in a process of its own. */
export interface Program {
  pid: number
  url: string
  /** What it had printed when it listened. */
  greeting: string
  stop(): Promise<void>
}

export interface Launch {
  env?: Record<string, string>
  /** The file that its standard output goes to; without one, nobody keeps it. */
  output?: string
  /** Where it listens, for a program that does not tell. */
  url?: string
}

const living = new Set<ChildProcess>()
process.once('exit', () => {
  for (const child of living) child.kill('SIGKILL')
})

/** Ends whatever is still there. */
export async function stopAll(): Promise<void> {
  await Promise.all([...living].map((child) => stopChild(child, 'SIGTERM')))
}

const patienceMs = 60_000

/** Starts Node with these arguments, and resolves once the program has told where it listens. */
export async function startProgram(args: readonly string[], launch: Launch = {}): Promise<Program> {
  const output = launch.output === undefined ? 'pipe' : openSync(launch.output, 'a')
  const child = spawnChild(args, {
    env: { PATH: process.env['PATH'], ...launch.env },
    stdio: ['ignore', output, 'pipe'],
  })
  if (typeof output === 'number') closeSync(output)
  const errors = collect(child)
  const greeting = await Promise.race([
    greetingOf(child, launch),
    once(child, 'exit').then(() => undefined),
    sleep(patienceMs, undefined, { ref: false }),
  ])
  const url = launch.url ?? addressIn(greeting ?? '')
  if (greeting === undefined || url === undefined) {
    await stopChild(child, 'SIGKILL')
    throw new Error(`${args.join(' ')} did not start: ${errors()}`)
  }
  return { pid: child.pid as number, url, greeting, stop: () => stopChild(child, 'SIGTERM') }
}

/** A process of Node that ends with this one. */
export function spawnChild(args: readonly string[], options: SpawnOptions): ChildProcess {
  const child = spawn(process.execPath, [...args], options)
  living.add(child)
  child.once('exit', () => living.delete(child))
  return child
}

export async function stopChild(child: ChildProcess, signal: NodeJS.Signals): Promise<void> {
  if (isOver(child)) return
  const ended = once(child, 'exit')
  child.kill(signal)
  const timer = setTimeout(() => child.kill('SIGKILL'), 20_000)
  await ended
  clearTimeout(timer)
}

export const addressIn = (text: string): string | undefined =>
  /https?:\/\/[\d.]+:\d+/.exec(text)?.[0]

function collect(child: ChildProcess): () => string {
  let text = ''
  child.stderr?.on('data', (chunk) => {
    text = (text + chunk).slice(-4000)
  })
  return () => text
}

function greetingOf(child: ChildProcess, { output, url }: Launch): Promise<string> {
  if (url !== undefined) return pollAnswer(child, url)
  return output === undefined ? readGreeting(child) : pollGreeting(child, output)
}

const isOver = ({ exitCode, signalCode }: ChildProcess): boolean =>
  exitCode !== null || signalCode !== null

async function pollAnswer(child: ChildProcess, url: string): Promise<string> {
  while (!isOver(child)) {
    const isThere = await fetch(url).then(
      () => true,
      () => false,
    )
    if (isThere) return url
    await sleep(50)
  }
  return ''
}

/** All lines until the one that has the address, and what came with it. */
async function readGreeting(child: ChildProcess): Promise<string> {
  let greeting = ''
  for await (const line of createInterface({ input: child.stdout as NodeJS.ReadableStream })) {
    greeting += `${line}\n`
    if (addressIn(line) === undefined) continue
    child.stdout?.resume()
    return greeting
  }
  return greeting
}

async function pollGreeting(child: ChildProcess, file: string): Promise<string> {
  while (!isOver(child) && addressIn(readFileSync(file, 'utf8')) === undefined) await sleep(20)
  // The whole of what is printed at once.
  await sleep(20)
  return readFileSync(file, 'utf8')
}
