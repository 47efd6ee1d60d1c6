import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'

/** A row of a bank, as the protocol page describes it. Times are seconds since 1970. */
export interface BankRow {
  id: string
  /** 0 where a pending row has no time. */
  posted: number
  amount: string
  description: string
  transacted_at?: number
  pending?: boolean
}

/** An account of a bank behind the server. */
export interface BankAccount {
  id: string
  name: string
  currency: string
  balance: string
  'available-balance'?: string
  'balance-date': number
  org: { domain: string; name: string; 'sfin-url': string }
  rows: BankRow[]
  /** Says so in place of its rows. */
  fails?: boolean
}

/** How a server writes its answers, other than the protocol page says. */
export type Style = 'times as text' | 'accounts in two parts' | 'byte order mark' | 'warnings'

/** What a server does in place of an answer. */
export type Mishap =
  | 'cut'
  | 'slow'
  /** Answers what it knew at the call, once `release` is called. */
  | 'held'
  | 'huge'
  | 'redirect'
  | 'wrong JSON'
  | 'no accounts'
  | 'html'
  | { status: number; retryAfter?: string }
  | { body: string | Uint8Array; headers?: Readonly<Record<string, string>> }

/** What the server was asked. */
export interface SeenCall {
  path: string
  query: URLSearchParams
  at: number
  authorization: string | undefined
}

/** A server of the SimpleFIN protocol on this machine, for one user. */
export interface SimplefinServer {
  host: string
  accounts: BankAccount[]
  errors: unknown[]
  /** Tells errors without codes, as servers before version 2. */
  isOld: boolean
  styles: Set<Style>
  /** What the passwords of access addresses begin with. */
  prefix: string
  /** What happens to the next calls, in their order. */
  mishaps: Mishap[]
  calls: SeenCall[]
  /** Lets the call go on that is held. */
  release(): void
  /** A new setup token. The access address that it gives ends the one before it. */
  newToken(): string
  /** Ends the access address, as its user can on the website. */
  revoke(): void
  close(): Promise<void>
}

const tooMuch = 51 * 1024 * 1024

/** Starts a server. `clock` is the time that it writes down for each call, in ms. */
export async function startSimplefin(clock: () => number = Date.now): Promise<SimplefinServer> {
  const tokens = new Set<string>()
  let password: string | undefined
  let made = 0
  let release = () => {}

  const server = createServer((request, response) => {
    answer(request, response).catch(() => response.destroy())
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const host = `127.0.0.1:${(server.address() as AddressInfo).port}`

  const own: SimplefinServer = {
    host,
    accounts: [],
    errors: [],
    isOld: false,
    styles: new Set(),
    prefix: 'secret-',
    mishaps: [],
    calls: [],
    release: () => release(),
    newToken() {
      made += 1
      tokens.add(`/simplefin/claim/${made}`)
      return Buffer.from(`http://${host}/simplefin/claim/${made}`).toString('base64')
    },
    revoke: () => {
      password = undefined
    },
    async close() {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  }

  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const url = new URL(request.url ?? '/', `http://${host}`)
    if (request.method === 'POST') return claim(url, response)
    const { authorization } = request.headers
    own.calls.push({ path: url.pathname, query: url.searchParams, at: clock(), authorization })
    const mishap = own.mishaps.shift()
    if (mishap && mishap !== 'held') return fail(mishap, response)
    const expected = Buffer.from(`user:${password}`).toString('base64')
    if (password === undefined || authorization !== `Basic ${expected}`) {
      return void response.writeHead(403).end('Forbidden')
    }
    const told = accountSet(url.searchParams)
    if (mishap === 'held') {
      await new Promise<void>((resolve) => {
        release = resolve
      })
    }
    response.writeHead(200, { 'Content-Type': 'application/json' }).end(told)
  }

  function claim(url: URL, response: ServerResponse): void {
    if (!tokens.delete(url.pathname)) return void response.writeHead(403).end('Forbidden')
    password = `${own.prefix}${made}-${Math.round(Math.random() * 1e9)}`
    response.writeHead(200).end(`http://user:${password}@${host}/simplefin`)
  }

  function accountSet(query: URLSearchParams): string {
    const from = Number(query.get('start-date') ?? 0)
    const to = Number(query.get('end-date') ?? Number.MAX_SAFE_INTEGER)
    const accounts = own.accounts.flatMap(divide).map(({ rows, fails, ...account }) => ({
      ...account,
      transactions:
        fails || query.has('balances-only')
          ? []
          : rows
              .filter((row) => {
                if (row.pending) return query.get('pending') === '1'
                return row.posted >= from && row.posted < to
              })
              .map(write),
    }))
    const failing = own.accounts.filter(({ fails }) => fails)
    const errlist = [
      ...own.errors,
      ...(own.styles.has('warnings') ? [{ code: 'gen.api', msg: 'Ask less often.' }] : []),
      ...failing.map(({ id }) => ({ code: 'act.failed', msg: 'not read', account_id: id })),
    ]
    const texts = errlist.map((one) => (typeof one === 'string' ? one : 'Something failed'))
    const mark = own.styles.has('byte order mark') ? '\ufeff' : ''
    const told = JSON.stringify(
      own.isOld ? { errors: texts, accounts } : { errlist, errors: texts, accounts },
    )
    return mark + told
  }

  function divide(account: BankAccount): BankAccount[] {
    if (!own.styles.has('accounts in two parts')) return [account]
    const { rows } = account
    const half = Math.floor(rows.length / 2)
    return [rows.slice(0, half), rows.slice(half)].map((part) => ({ ...account, rows: part }))
  }

  const write = (row: BankRow) =>
    own.styles.has('times as text') ? { ...row, posted: String(row.posted) } : row

  function fail(mishap: Exclude<Mishap, 'held'>, response: ServerResponse): void {
    if (typeof mishap === 'object' && 'body' in mishap) {
      return void response.writeHead(200, mishap.headers ?? {}).end(mishap.body)
    }
    if (typeof mishap === 'object') {
      const { status, retryAfter } = mishap
      response.writeHead(status, retryAfter === undefined ? {} : { 'Retry-After': retryAfter })
      return void response.end('an error')
    }
    if (mishap === 'redirect') {
      return void response.writeHead(302, { Location: `http://${host}/elsewhere` }).end()
    }
    response.writeHead(200)
    if (mishap === 'slow') return
    if (mishap === 'cut') {
      response.write('{"errors": [], "accounts": [')
      return void setImmediate(() => response.destroy())
    }
    if (mishap === 'huge') return void response.end(Buffer.alloc(tooMuch, ' '))
    const texts = {
      'wrong JSON': '{"errors": [], "accounts": [}',
      'no accounts': '{"errors": []}',
      html: '<!doctype html><title>Maintenance</title>',
    }
    response.end(texts[mishap])
  }

  return own
}

/** The seconds of a moment. */
export const seconds = (moment: string): number => Date.parse(moment) / 1000
