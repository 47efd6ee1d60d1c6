import { headerNames, operations } from '#contract/operations.ts'
import { readyAccessToken, wellKnownClients } from '../../src/server/clients/well-known-clients.ts'
import { eachExample, readBundle, versions } from '../contract/contract.ts'
import { directoryQueries } from './directory.ts'
import type { Sending } from './load.ts'

type Body = Record<string, unknown>

/** Makes a call that has to succeed, and returns its answer. */
export type Ask = (path: string, body: object, version?: string) => Promise<Body>

/** One operation as it is measured. */
export interface Case {
  id: keyof typeof operations
  path: string
  /** The bodies that are sent by turns; `ask` tells what only the service knows. */
  bodies(ask: Ask | undefined): Promise<Body[]>
}

const examples = new Map(
  eachExample(readBundle())
    .filter(({ place }) => place.endsWith(' request'))
    .toReversed()
    .map(({ operationId, value }) => [operationId, value as Body]),
)

/** The contract's first example of a request. */
const exampleOf = (id: Case['id']): Body => examples.get(id) ?? {}

const access_token = readyAccessToken
const pageOf100 = { access_token, count: 100 }
/** One page of this lies before the cursor that is called deep. */
const before = { access_token, count: 500 }
const dayMs = 86_400_000
const day = (ago: number): string => new Date(Date.now() - ago * dayMs).toISOString().slice(0, 10)

const define = (id: Case['id'], bodies: Case['bodies']): Case => ({
  id,
  path: operations[id].path,
  bodies,
})

export const cases: readonly Case[] = [
  define('walletGet', async () => [exampleOf('walletGet')]),
  define('accountsGet', async () => [exampleOf('accountsGet')]),
  define('transferGet', async () => [exampleOf('transferGet')]),
  define('transactionsSync', async (ask) => {
    const first = await ask?.(operations.transactionsSync.path, before)
    const cursor = first?.['next_cursor']
    return [pageOf100, cursor === undefined ? pageOf100 : { ...pageOf100, cursor }]
  }),
  define('transactionsGet', async () => [
    { access_token, start_date: day(600), end_date: day(1), options: { count: 100 } },
  ]),
  define('institutionsSearch', async () =>
    directoryQueries.map((query) => ({ query, country_codes: ['US'], products: null })),
  ),
  define('walletCreate', async () => [exampleOf('walletCreate')]),
  define('userCreate', async () => [
    { ...exampleOf('userCreate'), client_user_id: 'borrower-[<id>]' },
  ]),
  define('protectEventSend', async () => [exampleOf('protectEventSend')]),
  define('oauthToken', async () => [exampleOf('oauthToken')]),
]

const [{ clientId, secret }] = wellKnownClients

/** The headers of a request: the credentials are here and not in the body. */
export const headersFor = (version: string): Record<string, string> => ({
  'Content-Type': 'application/json',
  [headerNames.clientId]: clientId,
  [headerNames.secret]: secret,
  [headerNames.version]: version,
})

/** Each body in each version, evenly mixed. */
export const requestsOf = (path: string, bodies: readonly Body[]): Sending[] =>
  bodies.flatMap((body) =>
    versions.map((version) => ({ path, headers: headersFor(version), body: JSON.stringify(body) })),
  )

/** A call to the service at an address; every answer but 200 is a failure. */
export const askAt =
  (url: string): Ask =>
  async (path, body, version = versions.at(-1) ?? '') => {
    const response = await fetch(url + path, {
      method: 'POST',
      headers: headersFor(version),
      body: JSON.stringify(body),
    })
    const text = await response.text()
    if (response.status !== 200) throw new Error(`${path} answered ${response.status}: ${text}`)
    return JSON.parse(text) as Body
  }
