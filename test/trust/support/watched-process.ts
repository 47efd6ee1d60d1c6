import type { ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { Agent, request } from 'node:http'
import { endsWithUs } from '../../support/children.ts'
import { firstClient, headersOf, launch, printedUntil } from '../../support/service-process.ts'

/** A service in a process of its own, whose output can be read, or left unread. */
export interface WatchedProcess {
  url: string
  metricsUrl: string | undefined
  output(): string
  /** A POST on one of many kept connections: the status, and how long it took. */
  post(path: string, body: object): Promise<Timed>
  /** User and system time so far, in ms. */
  cpuMs(): number
  /** Stops reading what it prints. */
  leaveUnread(): void
  /** Asks it to end: its exit code, and how long that took. */
  stop(): Promise<{ code: number | null; ms: number }>
}

export interface Timed {
  status: number
  errorCode: string
  ms: number
}

const tickMs = 10

/** Runs the service from its sources with these variables; resolves once it listens. */
export async function startWatched(environment: Record<string, string>): Promise<WatchedProcess> {
  return watch(launch({ environment, showsErrors: true }).child)
}

/** The same for a service that has been started otherwise; the greeting tells where it is. */
export async function watch(child: ChildProcess, pid?: () => number): Promise<WatchedProcess> {
  endsWithUs(child)
  const chunks: Buffer[] = []
  const { stdout } = child
  if (!stdout) throw new Error('the output of the process has to be a pipe')
  stdout.on('data', (chunk: Buffer) => chunks.push(chunk))
  const output = () => Buffer.concat(chunks).toString()
  // Up to an empty line; a production has none about a sandbox after it.
  const greeting = await printedUntil(child, /^ {2}data .*\n(.+\n)*\n/m)
  if (greeting === undefined) throw new Error(`the service ended: ${output()}`)
  const url = /Service +(http:\S+)/.exec(greeting)?.[1] ?? ''
  const agent = new Agent({ keepAlive: true, maxSockets: 50 })
  const pidOf = pid ?? (() => child.pid ?? 0)
  return {
    url,
    metricsUrl: /metrics +(http:\S+)/.exec(greeting)?.[1],
    output,
    post: (path, body) => post(agent, url + path, body),
    cpuMs() {
      const [, after = ''] = readFileSync(`/proc/${pidOf()}/stat`, 'utf8').split(') ')
      const [user, system] = after.split(' ').slice(11, 13)
      return (Number(user) + Number(system)) * tickMs
    },
    leaveUnread() {
      stdout.removeAllListeners('data')
      stdout.pause()
    },
    async stop() {
      agent.destroy()
      const begun = performance.now()
      const exit = once(child, 'exit')
      stdout.resume()
      process.kill(pidOf(), 'SIGTERM')
      const [code] = await exit
      return { code, ms: Math.round(performance.now() - begun) }
    },
  }
}

function post(agent: Agent, url: string, body: object): Promise<Timed> {
  const begun = performance.now()
  return new Promise((resolve, reject) => {
    request(url, { method: 'POST', agent, headers: headersOf(firstClient) }, async (response) => {
      const chunks: Buffer[] = []
      for await (const chunk of response) chunks.push(chunk as Buffer)
      const answer = JSON.parse(Buffer.concat(chunks).toString()) as { error_code?: string }
      resolve({
        status: response.statusCode ?? 0,
        errorCode: answer.error_code ?? '',
        ms: performance.now() - begun,
      })
    })
      .on('error', reject)
      .end(JSON.stringify(body))
  })
}

/** Sends so many requests, some at once, and returns them all. */
export async function sendMany(
  count: number,
  send: (index: number) => Promise<Timed>,
  atOnce = 20,
): Promise<Timed[]> {
  const all: Timed[] = []
  let next = 0
  const work = async () => {
    while (next < count) {
      const index = next
      next += 1
      all.push(await send(index))
    }
  }
  await Promise.all(Array.from({ length: atOnce }, work))
  return all
}

/** A share of the times, in whole ms: 0.99 is the time that one in a hundred takes longer than. */
export function quantile(all: readonly Timed[], share: number): number {
  const sorted = all.map(({ ms }) => ms).sort((one, other) => one - other)
  return Math.round(sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0)
}

/** A page of metrics as numbers by series. */
export async function metricsOf({ metricsUrl }: WatchedProcess): Promise<Map<string, number>> {
  const text = await (await fetch(metricsUrl as string)).text()
  const lines = text.split('\n').filter((line) => line && !line.startsWith('#'))
  return new Map(
    lines.map((line) => {
      const end = line.lastIndexOf(' ')
      return [line.slice(0, end), Number(line.slice(end + 1))]
    }),
  )
}
