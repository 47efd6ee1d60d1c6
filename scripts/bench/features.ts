import { randomInt } from 'node:crypto'
import { createReadStream, globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { setTimeout as sleep } from 'node:timers/promises'
import { operations } from '#contract/operations.ts'
import { readyAccessToken } from '../../src/server/clients/well-known-clients.ts'
import { versions } from '../contract/contract.ts'
import { askAt, headersFor } from './cases.ts'
import type { BenchDatabase } from './database.ts'
import type { ServiceProgram } from './service.ts'

/** A service that would be measured without something that it does is not measured at all. */
export async function requireFeatures(
  service: ServiceProgram,
  folder: string,
  database: BenchDatabase | undefined,
): Promise<void> {
  if (/at risk/.test(service.greeting)) fail('what it has answered can be lost', service.greeting)
  await requireRefusals(service.url)
  await requireVersions(service.url)
  await requireEncryption(service.url, folder, database)
  await requireWatching(service)
}

function fail(what: string, told: unknown): never {
  throw new Error(`not everything is on: ${what} (${told})`)
}

async function statusOf(url: string, headers: Record<string, string>, body: object) {
  const response = await fetch(url, { method: 'POST', headers, body: JSON.stringify(body) })
  const answer = (await response.json()) as { error_code?: string }
  return `${response.status} ${answer.error_code}`
}

/** Neither credentials nor fields are taken on trust. */
async function requireRefusals(url: string): Promise<void> {
  const path = url + operations.walletGet.path
  const headers = headersFor(versions.at(-1) ?? '')
  const json = { 'Content-Type': 'application/json' }
  const found = [
    await statusOf(path, json, {}),
    await statusOf(path, headersWith(headers, 'wrong-secret'), {}),
    await statusOf(path, headers, { wallet_id: 7 }),
  ]
  const wanted = ['400 MISSING_FIELDS', '400 INVALID_API_KEYS', '400 INVALID_FIELD']
  if (found.join() !== wanted.join()) fail('refusals', found.join(', '))
}

const headersWith = (headers: Record<string, string>, secret: string) =>
  Object.fromEntries(
    Object.entries(headers).map(([name, value]) => [name, /SECRET/.test(name) ? secret : value]),
  )

/** The oldest version tells owners in another way than those after it. */
async function requireVersions(url: string): Promise<void> {
  const ask = askAt(url)
  const body = { access_token: readyAccessToken }
  const answers = await Promise.all(
    versions.map((version) => ask(operations.identityGet.path, body, version)),
  )
  const told = answers.map((answer) => 'identity' in answer)
  if (!told[0] || told.at(-1)) fail('versions', told)
}

/** The number of a person cannot be read in the store. */
async function requireEncryption(
  url: string,
  folder: string,
  database: BenchDatabase | undefined,
): Promise<void> {
  const id = `marked-${Date.now()}`
  const number = `900${randomInt(100_000, 1_000_000)}`
  const identity = { id_numbers: [{ value: number, type: 'us_ssn' }] }
  await askAt(url)(operations.userCreate.path, { client_user_id: id, identity })
  const files = globSync('data/*.sqlite*', { cwd: folder }).map((file) => join(folder, file))
  const text = files.map((file) => readFileSync(file, 'latin1')).join('')
  const isKept = database ? (await database.rowsWith('users', id)) > 0 : text.includes(id)
  const isPlain = database ? (await database.rowsWith('users', number)) > 0 : text.includes(number)
  if (!isKept || isPlain) fail('encryption', isKept ? 'a number is there as it is' : 'no row')
}

/** Every request has a line in the log, is in the metrics, and in the client's request log. */
async function requireWatching({ url, log, metrics }: ServiceProgram): Promise<void> {
  if (metrics === '') fail('metrics', 'not served')
  const ask = askAt(url)
  // Lines are written a moment after their requests.
  await sleep(settleMs)
  const before = await countRequests(log, metrics)
  const asked = 20
  for (let made = 0; made < asked; made += 1) {
    await ask(operations.accountsGet.path, { access_token: readyAccessToken })
  }
  await sleep(settleMs)
  const after = await countRequests(log, metrics)
  const [lines, counted] = [after.lines - before.lines, after.counted - before.counted]
  if (lines !== asked) fail('log', `${lines} lines of ${asked} requests`)
  if (counted !== asked) fail('metrics', `${counted} of ${asked} requests`)
  const { requests } = await ask('/sandbox/request/list', { count: asked })
  const noted = (requests as { path: string }[]).filter(
    ({ path }) => path === operations.accountsGet.path,
  )
  if (noted.length < asked) fail('request log', `${noted.length} of ${asked} requests`)
}

const settleMs = 400

/** How many requests the log and the metrics tell of so far. */
async function countRequests(log: string, metrics: string) {
  let lines = 0
  for await (const line of createInterface({ input: createReadStream(log) })) {
    if (line.includes('"msg":"request"')) lines += 1
  }
  const text = await (await fetch(metrics)).text()
  const values = [...text.matchAll(/^fds_requests_total\{.*\} (\d+)$/gm)]
  return { lines, counted: values.reduce((sum, [, value]) => sum + Number(value), 0) }
}

/** A log that has dropped lines under load was not as dear as it should be. */
export async function requireEveryLine(programs: readonly ServiceProgram[]): Promise<void> {
  for (const { log, metrics } of programs) {
    const end = performance.now() + patienceMs
    let found = await countRequests(log, metrics)
    // Requests whose senders have gone may still be worked on.
    while (found.lines !== found.counted && performance.now() < end) {
      await sleep(settleMs)
      found = await countRequests(log, metrics)
    }
    const { lines, counted } = found
    if (lines !== counted) fail('log', `${lines} lines of ${counted} requests`)
  }
}

const patienceMs = 10_000
