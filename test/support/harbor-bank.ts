import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import {
  AuthorizationFailed,
  type Connector,
  type Message,
  SourceFailed,
} from '../../src/connector/index.ts'
import type { TestService } from './service.ts'

/** A row of the invented bank. */
export interface Entry {
  id: string
  day: string
  amount: string
  text: string
  pending?: boolean
}

/** An invented bank on this machine, with one account. */
export interface HarborBank {
  host: string
  entries: Entry[]
  /** The status of the next answers, in their order. */
  statuses: number[]
  /** The paths that were asked for. */
  asked: string[]
  close(): Promise<void>
}

export const password = 'correct horse battery'
export const token = 'session-4f1c7a90be'

/** Starts the bank. */
export async function startHarborBank(): Promise<HarborBank> {
  const server = createServer((request, response) => {
    answer(request, response).catch(() => response.destroy())
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const bank: HarborBank = {
    host: `127.0.0.1:${(server.address() as AddressInfo).port}`,
    entries: [{ id: 'E1', day: '2026-03-10', amount: '-12.50', text: 'Tide Coffee' }],
    statuses: [],
    asked: [],
    async close() {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  }

  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { method, url = '', headers } = request
    bank.asked.push(`${method} ${url}`)
    let body = ''
    for await (const piece of request) body += piece
    const status = bank.statuses.shift()
    if (status !== undefined) return void response.writeHead(status).end(`failed: ${token}`)
    if (method === 'POST') {
      const isRight = JSON.parse(body).password === password
      return void response.writeHead(isRight ? 200 : 401).end(JSON.stringify({ token }))
    }
    if (headers.authorization !== `Bearer ${token}`) return void response.writeHead(401).end()
    response.end(JSON.stringify({ balance: '120.50', entries: bank.entries }))
  }

  return bank
}

const json = (body: Uint8Array) => JSON.parse(new TextDecoder().decode(body))

/** A connector to the bank, as somebody outside writes it. */
export const harborConnector = (more: Partial<Connector> = {}): Connector => ({
  id: 'harbor',
  version: '1.0.0',
  keyVersion: 1,
  limits: { callsPerDay: 6, minIntervalSeconds: 10, requestsPerCall: 3 },
  hosts: (settings) => [(settings as { host: string }).host],
  first: {
    kind: 'form',
    schema: {
      type: 'object',
      properties: {
        user: { type: 'string', title: 'User name <b>', description: 'As on your card' },
        password: { type: 'string', title: 'Password', format: 'password' },
      },
      required: ['user', 'password'],
    },
  },
  async authorize(ctx, _previous, { fields }) {
    const url = new URL(`http://${(ctx.settings as { host: string }).host}/sessions`)
    const { status, body } = await ctx.call({ method: 'POST', url, body: JSON.stringify(fields) })
    if (status === 401) throw new AuthorizationFailed('rejected', 'the bank rejects the password')
    if (status !== 200) throw new SourceFailed('outage', `the bank answered ${status}`)
    return { kind: 'done', secret: json(body) }
  },
  async *read(ctx): AsyncGenerator<Message> {
    const url = new URL(`http://${(ctx.settings as { host: string }).host}/account`)
    const { token: bearer } = ctx.secret as { token: string }
    const headers = { Authorization: `Bearer ${bearer}` }
    const { status, body } = await ctx.call({ method: 'GET', url, headers })
    if (status === 401) throw new SourceFailed('login', `the bank rejects ${bearer}`)
    if (status !== 200) throw new SourceFailed('outage', `the bank answered ${status}`)
    const { balance, entries } = json(body) as { balance: string; entries: Entry[] }
    const ref = 'A1'
    const account = { id: ref, name: 'Everyday', currency: 'USD', opaque: 'own' } as const
    yield { type: 'account', ref, account }
    const date = '2026-03-16'
    const told = { type: 'closing', amount: balance, currency: 'USD', date } as const
    yield { type: 'balance', ref, balance: told }
    if (ctx.balancesOnly) return
    for (const { id, day, amount, text, pending = false } of entries) {
      const status_ = pending ? 'pending' : 'posted'
      const row = {
        id,
        status: status_,
        amount,
        currency: 'USD',
        date: day,
        description: text,
      } as const
      yield { type: 'transaction', ref, transaction: row }
    }
    yield { type: 'covered', ref, ...ctx.window, pending: true }
    yield { type: 'state', state: { seen: entries.length } }
  },
  ...more,
})

type Pull = Record<'connector' | 'secret' | 'state' | 'failure' | 'due_at' | 'notices', string>

/** What the service knows of the reads of an Item. */
export const findPullOf = ({ service }: Pick<TestService, 'service'>, itemId: string) =>
  service.database.read(async (db) => {
    const row = await db.first<Pull>(
      `select connector, secret, state, failure, due_at, notices from item_pulls
        where item_id = $1`,
      [itemId],
    )
    return row as Pull
  })
