import { type ChildProcess, type SpawnOptions, spawn } from 'node:child_process'
import { once } from 'node:events'
import { closeSync, openSync, readFileSync } from 'node:fs'
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
  /** The file that its standard output is appended to; without one, it is read until the address. */
  output?: string
  /** Where it listens, for a program that does not print it. */
  url?: string
}

const running = new Set<ChildProcess>()
process.once('exit', () => {
  for (const child of running) child.kill('SIGKILL')
})

/** Ends all programs that still run. */
export async function stopAll(): Promise<void> {
  await Promise.all([...running].map((child) => stopChild(child, 'SIGTERM')))
}

const patienceMs = 60_000

/** Starts Node with these arguments, and resolves once the program has printed where it listens. */
export async function startProgram(args: readonly string[], launch: Launch = {}): Promise<Program> {
  const output = launch.output === undefined ? 'pipe' : openSync(launch.output, 'a')
  const child = spawnChild(args, {
    env: { PATH: process.env['PATH'], ...launch.env },
    stdio: ['ignore', output, 'pipe'],
  })
  if (typeof output === 'number') closeSync(output)
  let [printed, errors] = ['', '']
  child.stderr?.on('data', (chunk) => {
    errors = (errors + chunk).slice(-4000)
  })
  // Output is seen at once; a file or an address has to be read again.
  let wake = () => {}
  child.stdout?.on('data', (chunk) => {
    if (!addressIn(printed)) printed += chunk
    wake()
  })
  const end = performance.now() + patienceMs
  const find = async (): Promise<string | undefined> => {
    if (launch.url !== undefined) return (await isAnswering(launch.url)) ? launch.url : undefined
    if (launch.output !== undefined) printed = readFileSync(launch.output, 'utf8')
    return addressIn(printed)
  }
  let url = await find()
  while (url === undefined && !isOver(child) && performance.now() < end) {
    await Promise.race([sleep(20), new Promise<void>((resolve) => (wake = resolve))])
    url = await find()
  }
  if (url === undefined) {
    await stopChild(child, 'SIGKILL')
    throw new Error(`${args.join(' ')} did not start: ${errors}`)
  }
  // The lines that are printed together with the address.
  if (launch.output !== undefined) {
    await sleep(20)
    printed = readFileSync(launch.output, 'utf8')
  }
  const { pid = 0 } = child
  return { pid, url, greeting: printed, stop: () => stopChild(child, 'SIGTERM') }
}

/** A process of Node that ends with this one. */
export function spawnChild(args: readonly string[], options: SpawnOptions): ChildProcess {
  const child = spawn(process.execPath, [...args], options)
  running.add(child)
  child.once('exit', () => running.delete(child))
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

const addressIn = (text: string): string | undefined =>
  /https?:\/\/[\d.]+:\d+(?=\s)/.exec(text)?.[0]

const isOver = ({ exitCode, signalCode }: ChildProcess): boolean =>
  exitCode !== null || signalCode !== null

const isAnswering = (url: string): Promise<boolean> =>
  fetch(url).then(
    () => true,
    () => false,
  )
