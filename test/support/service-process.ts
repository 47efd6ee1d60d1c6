import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { root } from '../../scripts/contract/contract.ts'
import { wellKnownClients } from '../../src/server/clients/well-known-clients.ts'
import { endsWithUs } from './children.ts'
import type { Answered, Body } from './service.ts'

/** How a service is run in a process of its own. */
export interface Launch {
  environment: Record<string, string>
  /** The checkout whose sources run; this one where none is named. */
  folder?: string
  /** The program with its arguments that runs it, such as one that traces it. */
  wrapper?: readonly string[]
  /** Modules that are loaded before it. */
  preload?: readonly string[]
  /** Whether the two can send each other messages. */
  messages?: boolean
  /** Whether its standard error is shown, instead of being collected. */
  showsErrors?: boolean
}

/** A process that may come to listen. */
interface Launched {
  child: ChildProcess
  /** Everything that it wrote to its standard error so far, unless that is shown. */
  errors(): string
}

/** A service in a process of its own, on a free port. */
export interface ServiceProcess {
  url: string
  /** A POST with the credentials of the first client of the default seed data. */
  post(path: string, body: object): Promise<Answered>
  /** Ends it as a power cut would. */
  kill(): Promise<void>
  /** Asks it to end, and returns its exit code. */
  stop(): Promise<number | null>
}

export interface Credentials {
  clientId: string
  secret: string
}

export const firstClient: Credentials = wellKnownClients[0]

export const headersOf = ({ clientId, secret }: Credentials): Record<string, string> => ({
  'Content-Type': 'application/json',
  'SERVICE-CLIENT-ID': clientId,
  'SERVICE-SECRET': secret,
})

/** Begins to start a service from its sources. It ends with the tests at the latest. */
export function launch(wanted: Launch): Launched {
  const { environment, folder = root, wrapper = [], preload = [] } = wanted
  const { PATH, NODE_COMPILE_CACHE } = process.env
  const imports = preload.flatMap((file) => ['--import', file])
  const main = [join(folder, 'src/server/main.ts'), '--port', '0']
  const [program, ...args] = [...wrapper, process.execPath, ...imports, ...main]
  const output = ['pipe', wanted.showsErrors ? 'inherit' : 'pipe'] as const
  const child = spawn(program as string, args, {
    env: { PATH, NODE_COMPILE_CACHE, ...environment },
    stdio: ['ignore', ...output, ...(wanted.messages ? (['ipc'] as const) : [])],
  })
  return { child: endsWithUs(child), errors: keepErrors(child) }
}

function keepErrors({ stderr }: ChildProcess): () => string {
  const chunks: Buffer[] = []
  stderr?.on('data', (chunk: Buffer) => chunks.push(chunk))
  return () => Buffer.concat(chunks).toString()
}

/** Runs the service from its sources with these variables; resolves once it listens. */
export async function startProcess(
  environment: Record<string, string>,
  folder = root,
): Promise<ServiceProcess> {
  const { child } = launch({ environment, folder, showsErrors: true })
  const url = await addressOf(child)
  if (url === undefined) throw new Error('the service ended before it listened')
  return toServiceProcess(child, url)
}

export const toServiceProcess = (child: ChildProcess, url: string): ServiceProcess => ({
  url,
  post: (path, body) => post(url, path, body),
  kill: async () => void (await end(child, 'SIGKILL')),
  stop: () => end(child, 'SIGTERM'),
})

async function post(url: string, path: string, body: object): Promise<Answered> {
  const init = { method: 'POST', headers: headersOf(firstClient), body: JSON.stringify(body) }
  const response = await fetch(url + path, { ...init, signal: AbortSignal.timeout(patienceMs) })
  const { status, headers } = response
  return { status, headers, body: (await response.json()) as Body }
}

/** A service that hangs is to fail a test, not to hang it. */
const patienceMs = 60_000

/** Ends a process, and returns its exit code once it is gone. */
export async function end(child: ChildProcess, signal: NodeJS.Signals): Promise<number | null> {
  if (child.exitCode !== null || child.signalCode !== null) return child.exitCode
  const exit = once(child, 'exit')
  child.kill(signal)
  const [code] = await exit
  return code
}

/** The address that a program prints, or undefined when it ends before. */
export async function addressOf(child: ChildProcess): Promise<string | undefined> {
  const address = /http:\/\/[\d.]+:\d+/
  return address.exec((await printedUntil(child, address)) ?? '')?.[0]
}

/** The lines that a program prints up to what is looked for; undefined when it ends before. */
export async function printedUntil(
  child: ChildProcess,
  wanted: RegExp,
): Promise<string | undefined> {
  let printed = ''
  for await (const line of createInterface({ input: child.stdout as NodeJS.ReadableStream })) {
    printed += `${line}\n`
    if (!wanted.test(printed)) continue
    // Unread output would block the program.
    child.stdout?.resume()
    return printed
  }
  return undefined
}
