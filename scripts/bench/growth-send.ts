import { once } from 'node:events'
import { Agent, type IncomingMessage, request } from 'node:http'
import { percentile } from './statistics.ts'

/** A request, ready to be sent. */
export interface Asking {
  path: string
  headers: Record<string, string>
  body: string
}

/** What was answered, one request after the other. */
export interface Answered {
  count: number
  /** In ms. */
  p50: number
  p99: number
}

/** Sends one request and reads all of its answer, which must be a success. */
async function sendOne(
  agent: Agent,
  url: string,
  { path, headers, body }: Asking,
): Promise<string> {
  const sent = request(url + path, { method: 'POST', agent, headers }).end(body)
  const [response] = (await once(sent, 'response')) as [IncomingMessage]
  const chunks: Buffer[] = []
  response.on('data', (chunk: Buffer) => chunks.push(chunk))
  await once(response, 'end')
  const text = Buffer.concat(chunks).toString()
  if (response.statusCode !== 200) throw new Error(`${path}: ${response.statusCode} ${text}`)
  return text
}

/** Sends these by turns on one connection, for a while or so often. */
export async function send(
  url: string,
  askings: readonly Asking[],
  { seconds = 60, most = Number.POSITIVE_INFINITY },
): Promise<Answered> {
  const agent = new Agent({ keepAlive: true, maxSockets: 1 })
  const times: number[] = []
  const end = performance.now() + seconds * 1000
  try {
    while (times.length < most && performance.now() < end) {
      const begun = performance.now()
      await sendOne(agent, url, askings[times.length % askings.length] as Asking)
      times.push(performance.now() - begun)
    }
  } finally {
    agent.destroy()
  }
  return { count: times.length, p50: percentile(times, 0.5), p99: percentile(times, 0.99) }
}

/** Asks once, and reads the answer. */
export async function ask<Answer>(url: string, asking: Asking): Promise<Answer> {
  const agent = new Agent()
  return JSON.parse(await sendOne(agent, url, asking)) as Answer
}
