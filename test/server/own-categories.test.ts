import type { ChildProcess } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { root } from '../../scripts/contract/contract.ts'
import { createCategoryFinder } from '../../src/server/sources/own-categories.ts'
import { createPlace, engine, type Place } from '../support/engine.ts'
import { january, writeStatement } from '../support/import-file.ts'
import { attempt } from '../support/installed-package.ts'
import { productionKey } from '../support/production-key.ts'
import { addressOf, end, headersOf, launch } from '../support/service-process.ts'

// The categories that an operator gives by words: which bookings get them, and how a service reads them.

const booking = (description: string, amount = '-5.00', counterparty?: string) => ({
  status: 'posted' as const,
  amount,
  currency: 'EUR',
  date: '2026-01-05',
  description,
  ...(counterparty === undefined ? {} : { counterparty }),
})

test('words are whole, in their order, and of any case; the first entry that fits counts', () => {
  const find = createCategoryFinder([
    { words: ['Corner-Shop'], category: 'FOOD_AND_DRINK_GROCERIES' },
    { words: ['grant'], category: 'INCOME_OTHER', direction: 'in' },
    { words: ['shop', 'café (bar)'], category: 'OTHER_OTHER' },
    { words: ['corner'], category: 'FOOD_AND_DRINK_COFFEE' },
  ])
  const found = (...from: Parameters<typeof booking>) => find(booking(...from))
  expect(found('POS 12 CORNER SHOP')).toBe('FOOD_AND_DRINK_GROCERIES')
  expect(found('shop of the corner')).toBe('OTHER_OTHER')
  expect(found('The corner')).toBe('FOOD_AND_DRINK_COFFEE')
  expect(found('Corners, shops')).toBeUndefined()
  expect(found('CAFE\u0301 BAR 9')).toBe('OTHER_OTHER')
  expect(found('Grant 2026')).toBeUndefined()
  expect(found('Grant 2026', '5.00')).toBe('INCOME_OTHER')
  expect(found('anything', '-5.00', 'Corner Shop')).toBe('FOOD_AND_DRINK_GROCERIES')
  expect(found('shop', '-5.00', 'Corner')).toBe('OTHER_OTHER')
  expect(found('**')).toBeUndefined()
  expect(createCategoryFinder([])(booking('corner'))).toBeUndefined()
})

let folder: string
let file: string
let place: Place
let environment: Record<string, string>
const children: ChildProcess[] = []
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'categories-'))
  file = join(folder, 'categories.yaml')
  place = await createPlace()
  environment = {
    SERVICE_ENV: 'production',
    ENCRYPTION_KEY: productionKey,
    LOG_LEVEL: 'info',
    ...(engine === 'postgres'
      ? { DATABASE_URL: place.address }
      : { DATA_DIR: dirname(place.address) }),
  }
})
afterEach(async () => {
  await Promise.all(children.splice(0).map((child) => end(child, 'SIGTERM')))
})
afterAll(async () => {
  await place.remove()
  rmSync(folder, { recursive: true })
})

const write = (category: string) =>
  writeFileSync(file, `categories:\n  - words: [tide coffee]\n    category: ${category}\n`)

async function start(more: Record<string, string>) {
  const { child } = launch({ environment: { ...environment, ...more } })
  children.push(child)
  let log = ''
  for (const stream of [child.stdout, child.stderr]) {
    stream?.setEncoding('utf8').on('data', (text) => {
      log += text
    })
  }
  const url = await addressOf(child)
  if (url === undefined) throw new Error(`the service ended before it listened: ${log}`)
  const lines = () =>
    log.split('\n').flatMap((line) => (/"msg":".*categories/.test(line) ? [JSON.parse(line)] : []))
  return { child, url, lines }
}

async function command(...args: string[]) {
  const main = join(root, 'src/cli/main.ts')
  const { code, stdout, stderr } = await attempt(process.execPath, [main, ...args, '--json'], {
    cwd: folder,
    env: environment,
  })
  if (code !== 0) throw new Error(stderr)
  return stdout
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line))
}

let bookings = 0
/** Imports a booking that was not there before, and returns its transaction's category. */
async function importAnother(
  url: string | undefined,
  credentials: { clientId: string; secret: string },
) {
  bookings += 1
  const [first] = january.bookings
  const statement = { ...january, bookings: [{ ...first!, id: `N${bookings}` }] }
  const name = join(folder, 'next.ofx')
  writeFileSync(name, writeStatement('OFX 1.x', statement))
  const { clientId } = credentials
  const [{ item_id }] = await command(
    'import',
    name,
    '--client',
    clientId,
    '--user',
    `u${bookings}`,
  )
  const { url: at } = url === undefined ? await start({}) : { url }
  const [{ access_token }] = await command('item', 'access-token', item_id)
  const response = await fetch(`${at}/transactions/sync`, {
    method: 'POST',
    headers: headersOf(credentials),
    body: JSON.stringify({ access_token, options: { include_personal_finance_category: true } }),
  })
  const { added } = (await response.json()) as {
    added: { personal_finance_category: { detailed: string } }[]
  }
  return added.map((one) => one.personal_finance_category.detailed)
}

test('SIGHUP reads the file again, a wrong one leaves the list, and imports need no service', async () => {
  write('PERSONAL_CARE_HAIR_AND_BEAUTY')
  const { child, url, lines } = await start({ CATEGORIES: file })
  const [{ client_id, secret }] = await command('client', 'create', 'A')
  const client = { clientId: client_id, secret }
  expect(await importAnother(url, client)).toEqual(['PERSONAL_CARE_HAIR_AND_BEAUTY'])

  write('TRAVEL_LODGING')
  child.kill('SIGHUP')
  await expect.poll(() => lines().length).toBe(2)
  expect(lines()[1]).toMatchObject({ file: 'categories.yaml', listed: 1, changed: true })
  expect(await importAnother(url, client)).toEqual(['TRAVEL_LODGING'])

  write('TRAVEL_LODGINGS')
  child.kill('SIGHUP')
  await expect.poll(() => lines().length).toBe(3)
  expect(lines()[2]).toMatchObject({
    level: 'warn',
    msg: `the categories stay as they were, since the file cannot be used: ${file}:3:5: categories[0].category must be a known detailed category; did you mean TRAVEL_LODGING?`,
  })
  expect(await importAnother(url, client)).toEqual(['TRAVEL_LODGING'])

  const entries = await command('audit', 'list')
  const reads = entries.filter((one: { action: string }) => one.action === 'categories.read')
  expect(reads.map((one: { actor: string }) => one.actor).sort()).toEqual([
    'service:SIGHUP',
    'service:start',
  ])
  await end(child, 'SIGTERM')
  expect(await importAnother(undefined, client)).toEqual(['TRAVEL_LODGING'])
})

test('a start on a wrong file ends with its mistakes', async () => {
  writeFileSync(file, 'categories:\n  - words: []\n')
  const { child, errors } = launch({ environment: { ...environment, CATEGORIES: file } })
  const code = await new Promise((resolve) => child.once('exit', resolve))
  expect([code, errors().trim().split('\n')]).toEqual([
    1,
    [
      `${file}:2:5: categories[0].category is required`,
      `${file}:2:5: categories[0].words must hold at least 1 element`,
    ],
  ])
})
