import { once } from 'node:events'
import {
  createServer,
  type IncomingMessage,
  type OutgoingHttpHeaders,
  type Server,
  type ServerResponse,
} from 'node:http'
import type { AddressInfo } from 'node:net'
import { type ContractIndex, createContractIndex } from '../../src/proxy/contract-index.ts'
import { createProxy, type ProxyOptions, type Told } from '../../src/proxy/proxy.ts'
import { jsonHeaders } from './mock.ts'

export type Handler = (request: IncomingMessage, response: ServerResponse) => void

let index: Promise<ContractIndex> | undefined

export const opened: Server[] = []

export async function closeOpened(): Promise<void> {
  for (const server of opened.splice(0)) {
    server.closeAllConnections()
    await new Promise((resolve) => server.close(resolve))
  }
}

export async function open(server: Server): Promise<string> {
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  opened.push(server)
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}

export interface Opened {
  url: string
  told: Told[]
  failures: string[]
}

/** A proxy in front of an upstream. */
export async function openProxy(
  upstream: string,
  options: Partial<ProxyOptions> = {},
): Promise<Opened> {
  index ??= createContractIndex(false)
  const told: Told[] = []
  const failures: string[] = []
  const server = createProxy({
    ...{ upstream: new URL(upstream), index: await index, version: '2020-09-14', enforce: false },
    ...{ mostBytes: 1_000_000, timeout: 5000, isHost: () => true },
    log: (one) => void told.push(one),
    onFailure: (message) => void failures.push(message),
    ...options,
  })
  return { url: await open(server), told, failures }
}

/** A proxy in front of a service that always answers the same. */
export const openBefore = async (handler: Handler, options: Partial<ProxyOptions> = {}) =>
  openProxy(await open(createServer(handler)), options)

export const wallet = {
  wallet_id: 'wallet-id-sandbox-c0495d79-d308-4655-acf7-e7a08b6681fb',
  balance: { iso_currency_code: 'GBP', current: 0, available: 0 },
  numbers: {
    bacs: { account: '31926819', sort_code: '601613' },
    international: { iban: 'GB22TWLB60161331926819', bic: 'TWLBGB2L' },
  },
  recipient_id: 'recipient-id-sandbox-9b6b4679-914b-445b-9450-efbdb80296f6',
  status: 'ACTIVE',
  request_id: 'o5BS1VdzWsLRz3E',
}

export const answering =
  (body: unknown, headers: OutgoingHttpHeaders = {}, status = 200): Handler =>
  (request, response) => {
    request.resume()
    const own = { 'Content-Type': 'application/json', 'Request-Id': 'o5BS1VdzWsLRz3E' }
    response.writeHead(status, { ...own, ...headers })
    response.end(typeof body === 'string' || Buffer.isBuffer(body) ? body : JSON.stringify(body))
  }

export const get = (url: string, body: unknown = { wallet_id: wallet.wallet_id }) =>
  fetch(`${url}/wallet/get`, { method: 'POST', headers: jsonHeaders, body: JSON.stringify(body) })
