import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { type ConformOptions, runConform } from '../../src/conform/conform.ts'
import type { Report } from '../../src/conform/report.ts'
import { wellKnownClients } from '../../src/server/clients/well-known-clients.ts'
import type { Body } from './service.ts'

const [{ clientId, secret }] = wellKnownClients

/** Holds a service against the contract, as the client with the seed data. */
export const conformTo = (base: string, options: Partial<ConformOptions> = {}): Promise<Report> =>
  runConform({
    ...{ base, version: '2020-09-14', client: { clientId, secret }, other: undefined },
    ...{ accessToken: undefined, stateless: false, only: undefined, receiver: undefined },
    ...{ timeout: 30_000, onCase() {}, onWait() {} },
    ...options,
  })

/** What a report says of failures, in lines. */
export const failuresIn = ({ results }: Report): string[] =>
  results.flatMap(({ operationId, group, findings }) =>
    findings.map(({ field, message }) => `${operationId}, ${group}: ${field} ${message}`),
  )

/** What a faulty service does with a request before the real one gets it, and with the answer. */
export interface Fault {
  path: string
  request?(body: Body, headers: Headers): Body
  answer?(answer: { status: number; headers: Headers; body: Body; request: Body }):
    | {
        status?: number
        body?: unknown
      }
    | undefined
}

/** A service that does one thing wrong. */
export interface FaultyService {
  url: string
  close(): Promise<void>
}

/** Starts a service that is like another one, but for one fault. */
export async function startFaulty(upstream: string, fault: Fault): Promise<FaultyService> {
  const server = createServer(async (incoming, outgoing) => {
    const bytes = Buffer.concat(await incoming.toArray())
    const { method = 'POST', url = '/' } = incoming
    const headers = new Headers(incoming.headers as Record<string, string>)
    for (const name of ['connection', 'content-length', 'host', 'transfer-encoding']) {
      headers.delete(name)
    }
    const given = url === fault.path ? (parse(bytes.toString()) ?? {}) : undefined
    const isJson = parse(bytes.toString()) !== undefined
    const changed = given && isJson ? fault.request?.(given, headers) : undefined
    const body = changed ? JSON.stringify(changed) : bytes
    const response = await fetch(upstream + url, {
      ...{ method, headers },
      ...(method === 'GET' ? {} : { body }),
    })
    const text = await response.text()
    const answered = new Headers(response.headers)
    const { status } = response
    const answer = given && {
      ...{ status, headers: answered, body: parse(text) ?? {}, request: given },
    }
    const made = answer && fault.answer?.(answer)
    for (const name of ['content-length', 'connection', 'keep-alive', 'transfer-encoding']) {
      answered.delete(name)
    }
    outgoing.writeHead(made?.status ?? status, Object.fromEntries(answered))
    outgoing.end(made?.body === undefined ? text : JSON.stringify(made.body))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    async close() {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}

function parse(text: string): Body | undefined {
  try {
    const value = JSON.parse(text)
    return typeof value === 'object' && value !== null ? value : undefined
  } catch {
    return undefined
  }
}
