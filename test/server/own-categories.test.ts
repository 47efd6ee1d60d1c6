import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { createCategoryFinder } from '../../src/server/sources/own-categories.ts'
import { january, writeStatement } from '../support/import-file.ts'
import { createProduction, type Production, type Running } from '../support/production-processes.ts'
import { end, headersOf, launch } from '../support/service-process.ts'

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

let production: Production
let file: string
beforeAll(async () => {
  production = await createProduction()
  file = join(production.folder, 'categories.yaml')
})
afterEach(() => production.stop())
afterAll(() => production.remove())

const write = (category: string) =>
  writeFileSync(file, `categories:\n  - words: [tide coffee]\n    category: ${category}\n`)

/** The lines of the log about the categories. */
const linesOf = ({ log }: Running) =>
  log()
    .split('\n')
    .flatMap((line) => (/"msg":".*categories/.test(line) ? [JSON.parse(line)] : []))

let bookings = 0
/** Imports a booking that was not there before, and returns its transaction's category. */
async function importAnother(
  url: string | undefined,
  credentials: { clientId: string; secret: string },
) {
  bookings += 1
  const [first] = january.bookings
  const statement = { ...january, bookings: [{ ...first!, id: `N${bookings}` }] }
  const name = join(production.folder, 'next.ofx')
  writeFileSync(name, writeStatement('OFX 1.x', statement))
  const { clientId } = credentials
  const [{ item_id }] = await production.command(
    'import',
    name,
    '--client',
    clientId,
    '--user',
    `u${bookings}`,
  )
  const { url: at } = url === undefined ? await production.start({}) : { url }
  const [{ access_token }] = await production.command('item', 'access-token', item_id)
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
  const service = await production.start({ CATEGORIES: file })
  const { child, url } = service
  const [{ client_id, secret }] = await production.command('client', 'create', 'A')
  const client = { clientId: client_id, secret }
  expect(await importAnother(url, client)).toEqual(['PERSONAL_CARE_HAIR_AND_BEAUTY'])

  write('TRAVEL_LODGING')
  child.kill('SIGHUP')
  await expect.poll(() => linesOf(service).length).toBe(2)
  expect(linesOf(service)[1]).toMatchObject({ file: 'categories.yaml', listed: 1, changed: true })
  expect(await importAnother(url, client)).toEqual(['TRAVEL_LODGING'])

  write('TRAVEL_LODGINGS')
  child.kill('SIGHUP')
  await expect.poll(() => linesOf(service).length).toBe(3)
  expect(linesOf(service)[2]).toMatchObject({
    level: 'warn',
    msg: `the categories stay as they were, since the file cannot be used: ${file}:3:5: categories[0].category must be a known detailed category; did you mean TRAVEL_LODGING?`,
  })
  expect(await importAnother(url, client)).toEqual(['TRAVEL_LODGING'])

  const entries = await production.command('audit', 'list')
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
  const { child, errors } = launch({ environment: { ...production.environment, CATEGORIES: file } })
  const code = await new Promise((resolve) => child.once('exit', resolve))
  expect([code, errors().trim().split('\n')]).toEqual([
    1,
    [
      `${file}:2:5: categories[0].category is required`,
      `${file}:2:5: categories[0].words must hold at least 1 element`,
    ],
  ])
})
