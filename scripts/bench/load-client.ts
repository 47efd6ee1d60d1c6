import type { EventEmitter } from 'node:events'
import autocannon from 'autocannon'
import type { Load, Loaded } from './load.ts'
import { type Paced, sendAtRate } from './open-loop.ts'

// Sends load from a process of its own, so that its work is none of the servers'.

async function send({ urls, connections, seconds, requests }: Load): Promise<Loaded> {
  const cpu = process.cpuUsage()
  const begun = performance.now()
  const running = autocannon({
    url: [...urls],
    connections,
    duration: seconds,
    // How soon it sees that the time is over.
    sampleInt: 50,
    idReplacement: requests.some(({ body }) => body.includes('[<id>]')),
    requests: requests.map((request) => ({ method: 'POST', ...request })),
  } as unknown as autocannon.Options) as Promise<autocannon.Result> & EventEmitter
  const errors = new Set<string>()
  running.on('reqError', (error) =>
    errors.add((error as NodeJS.ErrnoException).code ?? error.message),
  )
  const result = await running
  const took = (performance.now() - begun) / 1000
  const { user, system } = process.cpuUsage(cpu)
  const statuses = Object.entries(result.statusCodeStats ?? {})
  return {
    answered: result['2xx'],
    sent: result.requests.sent,
    seconds: took,
    statuses: Object.fromEntries(statuses.map(([status, { count }]) => [status, count ?? 0])),
    failed: result.errors,
    errors: [...errors],
    bytes: result.throughput.total,
    p50: result.latency.p50,
    p99: result.latency.p99,
    cpu: (user + system) / 1e6,
  }
}

process.on('message', async (load: Load | Paced) => {
  process.send?.(await ('rate' in load ? sendAtRate(load) : send(load)))
})
// Nobody else is to end it.
process.on('disconnect', () => process.exit())
