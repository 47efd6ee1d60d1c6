import { send } from '../../../scripts/bench/send.ts'
import { firstClient, headersOf } from '../../support/service-process.ts'

// Sends calls from a process of its own, with the benchmark's sender:
// `open-loop-client.ts <url> <calls as JSON> <plan as JSON>`. Prints what it received.

/** What is to be sent: so many a second, or as fast as so many connections get responses. */
export interface Plan {
  seconds: number
  rate?: number
  connections: number
}

export interface Sent {
  sent: number
  /** How often each status was received. */
  statuses: Record<string, number>
  /** In ms since the call was due, by its second: of those that were accepted, and rejected. */
  accepted: number[][]
  refused: number[][]
  /** How many had no response. */
  lost: number
  /** The `Retry-After` of the errors. */
  retryAfter: Record<string, number>
  /** How many of the errors did not have the form of the contract. */
  malformed: number
  /** The first responses that were neither accepted nor rejected for the load. */
  others: string[]
}

const mostOthers = 5

const [, , url = '', callsText = '[]', planText = '{}'] = process.argv
const plan = JSON.parse(planText) as Plan
const calls = JSON.parse(callsText) as { path: string; body: object }[]
const headers = headersOf(firstClient)
const requests = calls.map(({ path, body }) => ({ path, headers, body: JSON.stringify(body) }))

const accepted: number[][] = []
const refused: number[][] = []
const retryAfter: Record<string, number> = {}
let malformed = 0
const others: string[] = []

const { sent, statuses, failed } = await send(
  { urls: [url], requests, ...plan },
  ({ status, head, body, due, at }) => {
    const second = Math.floor(due / 1000)
    const latencies = status === 200 ? accepted : refused
    latencies[second] ??= []
    latencies[second]?.push(at - due)
    if (status === 200) return
    if (status !== 503 && others.length < mostOthers) {
      others.push(`${status} after ${Math.round(at - due)} ms: ${body}`)
    }
    const seconds = /\r\nretry-after: (\d+)/i.exec(head)?.[1] ?? 'none'
    retryAfter[seconds] = (retryAfter[seconds] ?? 0) + 1
    if (!/"error_code":"PLANNED_MAINTENANCE"/.test(body)) malformed += 1
  },
)
const result: Sent = {
  sent,
  statuses,
  accepted,
  refused,
  lost: failed,
  retryAfter,
  malformed,
  others,
}
process.stdout.write(JSON.stringify(result), () => process.exit())
