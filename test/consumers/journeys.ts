import { deepEqual, equal, match, notEqual, ok } from 'node:assert/strict'
import { copyFileSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { build } from 'esbuild'
import { syncTransactions } from '../../src/index.ts'
import type { TestService } from '../../src/testing/index.ts'
import { type Bundle, platform } from './bundles.ts'
import {
  type Calls,
  type Connect,
  type ConnectLink,
  iso_currency_code,
  type Target,
} from './journeys/journey.ts'
import { followLink } from './link-journey.ts'
import { here } from './programs.ts'

/** Puts the journey of a generator beside what it generated, to be compiled with it. */
export function copyJourney({ name }: Bundle, generator: string, folder: string): void {
  const journeys = join(here, 'journeys')
  const own = name === platform ? join(journeys, platform) : journeys
  copyFileSync(join(own, `${generator}.ts`), join(folder, 'connect.ts'))
  const shared = generator === 'kubb' ? ['journey.ts', 'kubb-client.ts'] : ['journey.ts']
  for (const file of shared) copyFileSync(join(journeys, file), join(folder, file))
}

/** Runs the journey with the generated client, against a service that is running. */
export async function runJourney(bundle: Bundle, folder: string, service: TestService) {
  if (bundle.name === platform) {
    const connect = await load<ConnectLink>(folder)
    return followLink(connect(targetOf(service)), service)
  }
  const connect = await load<Connect>(folder)
  const calls = connect(targetOf(service, { 'Service-Version': bundle.name }))
  const linked = await service.linkItem()
  await readAccounts(calls, linked, service)
  await readTransactions(calls, linked, service)
  await openWallet(calls)
  await failWithBadToken(calls)
}

async function load<Type>(folder: string): Promise<Type> {
  const outfile = join(folder, 'connect.mjs')
  const entryPoints = [join(folder, 'connect.ts')]
  // Generated code is not always such that Node can run it as TypeScript.
  await build({ entryPoints, outfile, bundle: true, packages: 'external', format: 'esm' })
  const module = (await import(pathToFileURL(outfile).href)) as { connect: Type }
  return module.connect
}

const targetOf = ({ url, clientId, secret }: TestService, version = {}): Target => ({
  url,
  headers: { 'SERVICE-CLIENT-ID': clientId, 'SERVICE-SECRET': secret, ...version },
})

type Linked = Awaited<ReturnType<TestService['linkItem']>>

async function readAccounts(calls: Calls, { access_token }: Linked, { client }: TestService) {
  const expected = await client.accountsGet({ access_token }).orThrow()
  const { accounts } = await calls.accountsGet(access_token)
  const idsOf = (all: typeof accounts) => all.map(({ account_id }) => account_id)
  notEqual(accounts.length, 0)
  deepEqual(idsOf(accounts), idsOf(expected.accounts))
}

/** Follows the cursor to the end. */
async function readTransactions(calls: Calls, { access_token }: Linked, { client }: TestService) {
  const found = new Set<string>()
  let cursor: string | undefined
  let pages = 0
  for (let hasMore = true; hasMore; pages += 1) {
    const { added, next_cursor, has_more } = await calls.transactionsSync(access_token, cursor)
    for (const { transaction_id } of added) found.add(transaction_id)
    cursor = next_cursor
    hasMore = has_more
  }
  const { added } = await syncTransactions(client, { access_token })
  ok(pages > 1, 'one page is no history')
  deepEqual([...found].sort(), added.map(({ transaction_id }) => transaction_id).sort())
}

async function openWallet(calls: Calls) {
  const opened = await calls.walletCreate()
  const { wallet_id, balance } = await calls.walletGet(opened.wallet_id)
  deepEqual([wallet_id, balance], [opened.wallet_id, opened.balance])
  equal(balance.iso_currency_code, iso_currency_code)
}

async function failWithBadToken(calls: Calls) {
  const error = await calls.accountsError('access-sandbox-00000000-0000-4000-8000-ffffffffffff')
  deepEqual([error?.error_type, error?.error_code], ['INVALID_INPUT', 'INVALID_ACCESS_TOKEN'])
  match(error?.request_id ?? '', /^\w{15}$/)
}
