import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { root } from '../../scripts/contract.ts'
import { wellKnownClients } from '../../src/server/well-known-clients.ts'
import { endsWithUs } from './children.ts'
import type { Answered, Body } from './service.ts'

/** A service in a process of its own, on a free port. */
export interface ServiceProcess {
  url: string
  /** A POST with the credentials of the first client of the default world. */
  post(path: string, body: object): Promise<Answered>
  /** Ends it as a power cut would. */
  kill(): Promise<void>
  /** Asks it to end, and returns its exit code. */
  stop(): Promise<number | null>
}

const [{ clientId, secret }] = wellKnownClients

/** Runs `npm start` from the sources with these variables; resolves once it listens. */
export async function startProcess(
  environment: Record<string, string>,
  folder = root,
): Promise<ServiceProcess> {
  const main = join(folder, 'src/server/main.ts')
  const { PATH, NODE_COMPILE_CACHE } = process.env
  const child = endsWithUs(
    spawn(process.execPath, [main, '--port', '0'], {
      env: { PATH, NODE_COMPILE_CACHE, ...environment },
      stdio: ['ignore', 'pipe', 'inherit'],
    }),
  )
  const url = await addressOf(child)
  const end = async (signal: NodeJS.Signals): Promise<number | null> => {
    if (child.exitCode !== null || child.signalCode !== null) return child.exitCode
    const exit = once(child, 'exit')
    child.kill(signal)
    const [code] = await exit
    return code
  }
  return {
    url,
    async post(path, body) {
      const response = await fetch(url + path, {
        method: 'POST',
        headers: {
          'Content-Type': 'application/json',
          'SERVICE-CLIENT-ID': clientId,
          'SERVICE-SECRET': secret,
        },
        body: JSON.stringify(body),
      })
      const { status, headers } = response
      return { status, headers, body: (await response.json()) as Body }
    },
    kill: async () => void (await end('SIGKILL')),
    stop: () => end('SIGTERM'),
  }
}

/** The address that it prints. */
async function addressOf(child: ChildProcess): Promise<string> {
  for await (const line of createInterface({ input: child.stdout as NodeJS.ReadableStream })) {
    const [url] = /http:\/\/[\d.]+:\d+/.exec(line) ?? []
    if (url) {
      child.stdout?.resume()
      return url
    }
  }
  throw new Error('the service ended before it listened')
}
