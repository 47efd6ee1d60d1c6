import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { root } from '../../../scripts/contract.ts'
import { wellKnownClients } from '../../../src/server/well-known-clients.ts'
import { endsWithUs } from '../../support/children.ts'
import type { Answered, Body } from '../../support/service.ts'
import type { ServiceProcess } from '../../support/service-process.ts'

/** How a service on trial is run. */
export interface Trial {
  environment: Record<string, string>
  /** The program with its arguments that runs it, such as one that traces it. */
  wrapper?: readonly string[]
  /** Modules that are loaded before it. */
  preload?: readonly string[]
}

/** A service in a process of its own that may die at any moment, also before it listens. */
export interface TrialService extends ServiceProcess {
  child: ChildProcess
  /** All that it wrote to its standard error so far. */
  errors(): string
}

/** What a start ended with that came to nothing. */
export interface Refusal {
  code: number | null
  errors: string
}

const main = join(root, 'src/server/main.ts')
const [{ clientId, secret }] = wellKnownClients

/** Begins to start a service: the process is there, and maybe soon its address. */
export function launch({ environment, wrapper = [], preload = [] }: Trial) {
  const { PATH, NODE_COMPILE_CACHE } = process.env
  const imports = preload.flatMap((file) => ['--import', file])
  const [program, ...args] = [...wrapper, process.execPath, ...imports, main, '--port', '0']
  const child = spawn(program as string, args, {
    env: { PATH, NODE_COMPILE_CACHE, ...environment },
    stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
  })
  endsWithUs(child)
  const errors = collect(child)
  return { child, errors, address: addressOf(child) }
}

/** Starts a service; fails with what it said when it does not listen. */
export async function startTrial(trial: Trial): Promise<TrialService> {
  const { child, errors, address } = launch(trial)
  const url = await address
  if (url === undefined) {
    await end(child, 'SIGKILL')
    throw new Error(`the service did not start: ${errors()}`)
  }
  return {
    url,
    child,
    errors,
    post: (path, body) => post(url, path, body),
    kill: async () => void (await end(child, 'SIGKILL')),
    stop: () => end(child, 'SIGTERM'),
  }
}

/** Starts a service that is to refuse; fails when it listens. */
export async function refusalOf(trial: Trial): Promise<Refusal> {
  const { child, errors, address } = launch(trial)
  const url = await address
  if (url !== undefined) {
    await end(child, 'SIGKILL')
    throw new Error(`the service has started at ${url}`)
  }
  if (child.exitCode === null) await once(child, 'exit')
  return { code: child.exitCode, errors: errors() }
}

/** Ends a process, and returns its exit code once it is gone. */
export async function end(child: ChildProcess, signal: NodeJS.Signals): Promise<number | null> {
  if (child.exitCode !== null || child.signalCode !== null) return child.exitCode
  const exit = once(child, 'exit')
  child.kill(signal)
  const [code] = await exit
  return code
}

/** The process that a tracer runs: a signal to the tracer alone would let it go on. */
export function childOf(pid: number): number {
  const children = readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8')
  return Number(children.split(' ')[0])
}

function collect(child: ChildProcess): () => string {
  const chunks: Buffer[] = []
  child.stderr?.on('data', (chunk: Buffer) => chunks.push(chunk))
  return () => Buffer.concat(chunks).toString()
}

/** The address that it prints, or undefined when it ends before. */
async function addressOf(child: ChildProcess): Promise<string | undefined> {
  for await (const line of createInterface({ input: child.stdout as NodeJS.ReadableStream })) {
    const [url] = /http:\/\/[\d.]+:\d+/.exec(line) ?? []
    if (url === undefined) continue
    child.stdout?.resume()
    return url
  }
  return undefined
}

async function post(url: string, path: string, body: object): Promise<Answered> {
  const response = await fetch(url + path, {
    method: 'POST',
    headers: {
      'Content-Type': 'application/json',
      'SERVICE-CLIENT-ID': clientId,
      'SERVICE-SECRET': secret,
    },
    body: JSON.stringify(body),
    signal: AbortSignal.timeout(30_000),
  })
  const { status, headers } = response
  return { status, headers, body: (await response.json()) as Body }
}
