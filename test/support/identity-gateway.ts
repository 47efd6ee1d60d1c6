import { once } from 'node:events'
import { createServer, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { verifyWebhook } from '../../src/webhooks/index.ts'
import type { Body, Tenant } from './service.ts'

/** What a gateway does in place of an answer. */
type Mishap =
  | 'cut'
  | 'half'
  | 'slow'
  | 'html'
  | 'huge'
  | 'redirect'
  | 'other check'
  | { status: number }
  | { body: unknown }

/** A result of the step kyc_check, as a gateway tells it. */
export const kyc_check = {
  status: 'success',
  address: { summary: 'match', po_box: 'no', type: 'residential' },
  name: { summary: 'match' },
  date_of_birth: { summary: 'match' },
  id_number: { summary: 'no_match' },
  phone_number: { summary: 'match', area_code: 'match' },
}

/** An operator's gateway on this machine. */
export interface TestGateway {
  url: string
  /** The bodies that arrived, as they were verified. */
  calls: Body[]
  /** How many requests had no valid signature. */
  unsigned: number
  /** What it answers, by step, beside `check_id`. */
  answers: Record<string, Body>
  /** The steps that it says to serve. */
  steps: string[]
  /** What happens to the next calls that are no AUTHORIZE, in their order. */
  mishaps: Mishap[]
  /** Whose keys it knows. */
  client: Tenant['api'] | undefined
  close(): Promise<void>
}

/** Starts a gateway. `clock` is the time in ms by which it judges signatures. */
export async function startGateway(clock: () => number): Promise<TestGateway> {
  const server = createServer(async (request, response) => {
    const parts: Buffer[] = []
    for await (const part of request) parts.push(part)
    const raw = Buffer.concat(parts)
    const isSigned = await verifyWebhook(new Uint8Array(raw), request.headers, {
      client: own.client!,
      now: clock,
    }).then(
      () => true,
      () => false,
    )
    if (!isSigned) {
      own.unsigned += 1
      response.writeHead(401).end()
      return
    }
    const body = JSON.parse(raw.toString()) as Body
    own.calls.push(body)
    answer(body, response)
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')

  function answer(body: Body, response: ServerResponse): unknown {
    if (body['webhook_code'] === 'AUTHORIZE') return send(response, { steps: own.steps })
    const mishap = own.mishaps.shift()
    const { check_id, step } = body
    const told = { check_id, status: 'pending', ...own.answers[String(step)] }
    if (mishap === undefined) return send(response, told)
    if (mishap === 'slow') return undefined
    if (mishap === 'cut') return response.destroy()
    if (mishap === 'half') {
      response.writeHead(200, { 'Content-Length': 1000 }).write('{"check_id":')
      return setTimeout(() => response.destroy(), 10)
    }
    if (mishap === 'html') return response.writeHead(200).end('<html>')
    if (mishap === 'huge') return send(response, { ...told, more: 'x'.repeat(300_000) })
    if (mishap === 'other check') return send(response, { ...told, check_id: 'another' })
    if (mishap === 'redirect') return response.writeHead(302, { Location: '/' }).end()
    if ('status' in mishap) return response.writeHead(mishap.status).end()
    return send(response, mishap.body)
  }

  const send = (response: ServerResponse, body: unknown): unknown =>
    response.writeHead(200, { 'Content-Type': 'application/json' }).end(JSON.stringify(body))

  const own: TestGateway = {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/checks`,
    calls: [],
    unsigned: 0,
    answers: {},
    steps: [],
    mishaps: [],
    client: undefined,
    async close() {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  }
  return own
}
