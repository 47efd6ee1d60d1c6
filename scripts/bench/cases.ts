import { headerNames, operations } from '#contract/operations.ts'
import { readyAccessToken, wellKnownClients } from '../../src/server/clients/well-known-clients.ts'
import { addDays, toDate } from '../../src/server/kernel/time.ts'
import { eachExample, readBundle, versions } from '../contract/contract.ts'
import { directoryQueries } from './directory.ts'
import type { FilledClient } from './fill-database.ts'
import type { Sending } from './send.ts'

type Body = Record<string, unknown>

export type OperationId = keyof typeof operations

/** Makes a call that has to succeed, and returns its response body. */
export type Ask = <Answer = Body>(path: string, body: object, version?: string) => Promise<Answer>

/** One operation as it is measured. */
export interface Case {
  id: OperationId
  path: string
  /** The bodies that are sent by turns; `ask` reads what only the service knows. */
  bodies(ask: Ask | undefined): Promise<Body[]>
}

const examples = new Map(
  eachExample(readBundle())
    .filter(({ place }) => place.endsWith(' request'))
    .toReversed()
    .map(({ operationId, value }) => [operationId, value as Body]),
)

const access_token = readyAccessToken
/** The date so many days ago. */
const day = (ago: number): string => addDays(toDate(new Date().toISOString()), -ago)

/** Bodies that are not just the contract's first example. */
const bodies: Partial<Record<OperationId, Case['bodies']>> = {
  async transactionsSync(ask) {
    const page = { access_token, count: 100 }
    const deep = await ask?.(operations.transactionsSync.path, { access_token, count: 500 })
    return [page, { ...page, ...(deep && { cursor: deep['next_cursor'] }) }]
  },
  transactionsGet: async () => [
    { access_token, start_date: day(600), end_date: day(1), options: { count: 100 } },
  ],
  institutionsSearch: async () =>
    directoryQueries.map((query) => ({ query, country_codes: ['US'], products: null })),
  userCreate: async () => [{ ...examples.get('userCreate'), client_user_id: 'borrower-[<id>]' }],
}

const ids = [
  ...(['walletGet', 'accountsGet', 'transferGet', 'transactionsSync', 'transactionsGet'] as const),
  ...(['institutionsSearch', 'walletCreate', 'userCreate', 'protectEventSend'] as const),
  'oauthToken',
] satisfies OperationId[]

export const cases: readonly Case[] = ids.map((id) => ({
  id,
  path: operations[id].path,
  bodies: bodies[id] ?? (async () => [examples.get(id) ?? {}]),
}))

const [first] = wellKnownClients

/** The headers of a request: the credentials are here and not in the body. */
export const headersFor = (
  version: string = versions.at(-1) ?? '',
  { clientId, secret }: FilledClient = first,
): Record<string, string> => ({
  'Content-Type': 'application/json',
  [headerNames.clientId]: clientId,
  [headerNames.secret]: secret,
  [headerNames.version]: version,
})

/** Each body in each version, evenly mixed. */
export const requestsOf = (path: string, all: readonly Body[]): Sending[] =>
  all.flatMap((body) =>
    versions.map((version) => ({ path, headers: headersFor(version), body: JSON.stringify(body) })),
  )

/** Calls the service at an address; every status but 200 is a failure. */
export const askAt =
  (url: string, client?: FilledClient): Ask =>
  async (path, body, version) => {
    const response = await fetch(url + path, {
      method: 'POST',
      headers: headersFor(version, client),
      body: JSON.stringify(body),
    })
    const text = await response.text()
    if (response.status !== 200) throw new Error(`${path} responded ${response.status}: ${text}`)
    return JSON.parse(text)
  }
