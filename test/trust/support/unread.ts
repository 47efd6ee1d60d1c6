import { setTimeout as sleep } from 'node:timers/promises'
import { percentile } from './open-loop.ts'
import { openRaw, type RawSocket } from './raw-socket.ts'

/** Clients that send all their requests at once, and read no response. */
export async function sendWithoutReading(
  url: string,
  { connections, requests }: { connections: number; requests: string },
): Promise<RawSocket[]> {
  const clients = await Promise.all(Array.from({ length: connections }, () => openRaw(url)))
  for (const { socket } of clients) {
    socket.pause()
    socket.write(requests)
  }
  return clients
}

/** How long calls took, and the longest call to /livez, in ms. */
export interface Latency {
  p50: number
  p99: number
  failed: number
  livez: number
}

/** Sends calls one after the other, beside calls to /livez, for some time. */
export async function measureLatency(
  url: string,
  call: () => Promise<{ status: number }>,
  seconds: number,
): Promise<Latency> {
  const end = performance.now() + seconds * 1000
  const livez: number[] = []
  const looking = (async () => {
    while (performance.now() < end) {
      livez.push(await timed(() => fetch(`${url}/livez`).then((response) => response.text())))
      await sleep(20)
    }
  })()
  const times: number[] = []
  let failed = 0
  while (performance.now() < end) {
    const status = { value: 0 }
    times.push(
      await timed(async () => {
        status.value = (await call()).status
      }),
    )
    if (status.value !== 200) failed += 1
    await sleep(2)
  }
  await looking
  return {
    p50: percentile(times, 0.5),
    p99: percentile(times, 0.99),
    failed,
    livez: percentile(livez, 1),
  }
}

/** The round that was delayed least by what else the machine does; nothing may fail in any. */
export async function bestOf(rounds: number, measure: () => Promise<Latency>): Promise<Latency> {
  const all: Latency[] = []
  for (let round = 0; round < rounds; round += 1) all.push(await measure())
  const [best] = all.toSorted((one, other) => one.p99 - other.p99)
  return {
    ...(best as Latency),
    failed: all.reduce((sum, { failed }) => sum + failed, 0),
    livez: Math.max(...all.map(({ livez }) => livez)),
  }
}

async function timed(work: () => Promise<unknown>): Promise<number> {
  const begun = performance.now()
  await work()
  return performance.now() - begun
}
