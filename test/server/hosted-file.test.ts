import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { fileInstitutionId } from '../../src/institution-list/built-in.ts'
import { listBuiltInInstitutions } from '../../src/server/operator/apply-institutions.ts'
import { january, writeStatement } from '../support/import-file.ts'
import { createVisitor, linkRequest, type Shown } from '../support/link-visitor.ts'
import { newTenant } from '../support/operator.ts'
import { type Receiver, startReceiver } from '../support/receiver.ts'
import { startService, type Tenant, type TestService } from '../support/service.ts'

let service: TestService
let tenant: Tenant
let receiver: Receiver
beforeAll(async () => {
  const settings = { environment: 'production', reportDelayMs: 0, privateTargets: 'allow' } as const
  service = await startService({ settings })
  await listBuiltInInstitutions(service.service)
})
afterAll(() => service.close())
beforeEach(async () => {
  tenant = await newTenant(service)
  receiver = await startReceiver()
})
afterEach(() => receiver.close())

type Request = Parameters<Tenant['api']['linkTokenCreate']>[0]

async function create(changes: Partial<Request> = {}) {
  const request = { ...linkRequest, ...changes }
  const { link_token, hosted_link_url } = await tenant.api.linkTokenCreate(request).orThrow()
  return { link_token, path: new URL(hosted_link_url).pathname }
}

/** Comes as far as the question for the file. */
async function toFile(changes: Partial<Request> = {}) {
  const made = await create({ institution_id: fileInstitutionId, ...changes })
  const visitor = createVisitor(service)
  await visitor.open(made.path)
  return { ...made, visitor, page: await visitor.send() }
}

const camt = { name: 'january.xml', bytes: writeStatement('CAMT.053 version 2', january) }
const mt940 = { name: 'january.sta', bytes: writeStatement('MT940', january) }
const sessionOf = async (link_token: string) =>
  (await tenant.api.linkTokenGet({ link_token }).orThrow()).link_sessions[0]
const stagedRows = () =>
  service.service.database.single.all('select import_id from staged_rows where client_id = $1', [
    tenant.clientId,
  ])

describe('a file on the page', () => {
  test('is read, completed and shared, a question a page', async () => {
    const { link_token, visitor, page } = await toFile()
    expect(page.heading).toBe('Send a file from your bank')
    expect(page.html).toContain('enctype="multipart/form-data"')
    const details = await visitor.upload(mt940)
    expect(details.heading).toBe('About your account')
    expect(details.html).toContain('1 transaction')
    const share = await visitor.send({ 'kind-0': 'checking' })
    expect(share.heading).toBe('Choose the accounts to share')
    expect(share.html).toContain('1 transaction, Jan 5, 2026')
    const done = await visitor.send({ account: '0' })
    expect(done.heading).toBe('Your accounts are connected')
    expect(await stagedRows()).toEqual([])
    const [added] = (await sessionOf(link_token))?.results?.item_add_results ?? []
    expect(added?.accounts).toMatchObject([{ type: 'depository', subtype: 'checking' }])
    const public_token = added?.public_token ?? ''
    const { access_token } = await tenant.api.itemPublicTokenExchange({ public_token }).orThrow()
    const { added: rows } = await tenant.api.transactionsSync({ access_token }).orThrow()
    expect(rows.map(({ amount, date }) => [amount, date])).toEqual([[12.5, '2026-01-05']])
    const { accounts } = await tenant.api.accountsGet({ access_token }).orThrow()
    expect(accounts[0]?.balances.current).toBe(87.5)
  })
})

/** Links the account of January, and returns what the application gets. */
async function toLinked() {
  const { link_token, visitor } = await toFile()
  await visitor.upload(camt)
  await visitor.send({ 'kind-0': 'checking' })
  await visitor.send({ account: '0' })
  const [added] = (await sessionOf(link_token))?.results?.item_add_results ?? []
  const public_token = added?.public_token ?? ''
  return tenant.api.itemPublicTokenExchange({ public_token }).orThrow()
}

const february = {
  ...january,
  opening: { amount: '87.50', date: '2026-02-01' },
  closing: { amount: '80.00', date: '2026-02-28' },
  bookings: [{ date: '2026-02-05', amount: '-7.50', description: 'Tea', id: 'B1' }],
}

const rowsOf = async (access_token: string) =>
  (await tenant.api.transactionsSync({ access_token }).orThrow()).added.map(({ date }) => date)

describe('what is sent by mistake', () => {
  const zip = Buffer.concat([Buffer.from('504b030414000900', 'hex'), Buffer.alloc(200, 7)])
  test.each([
    ['nothing', { name: '', bytes: '' }, 'Choose a file'],
    ['an empty file', { name: 'a.csv', bytes: '' }, 'This file is empty'],
    ['spaces', { name: 'a.csv', bytes: '\n \n' }, 'This file is empty'],
    ['a PDF', { name: 'a.pdf', bytes: '%PDF-1.7\n%âãÏÓ\n' }, 'This is a PDF'],
    ['an encrypted zip', { name: 'a.zip', bytes: zip }, 'archive or a workbook'],
    [
      'an old workbook',
      { name: 'a.xls', bytes: Buffer.from('d0cf11e0a1b11ae1', 'hex') },
      'Open it',
    ],
    ['a picture', { name: 'a.jpg', bytes: Buffer.from('ffd8ffe000104a46', 'hex') }, 'a picture'],
    ['a web page', { name: 'a.ofx', bytes: '<!DOCTYPE html><p>Log in' }, 'a web page'],
    [
      'a letter',
      { name: 'a.txt', bytes: 'Dear bank, please send it.' },
      'no file with transactions',
    ],
    ['no rows', { name: 'a.sta', bytes: '<OFX></OFX>' }, 'no transactions in this file'],
  ])('%s is told in plain words', async (_what, file, told) => {
    const { visitor, link_token } = await toFile()
    const shown = await visitor.upload(file)
    expect([shown.status, shown.heading]).toEqual([200, 'Send a file from your bank'])
    expect(shown.html).toMatch(/<title>Error: .*role="alert" tabindex="-1" autofocus/s)
    expect(shown.html).toContain(told)
    expect(await stagedRows()).toEqual([])
    expect((await visitor.upload(camt)).heading).toBe('About your account')
    expect((await sessionOf(link_token))?.finished_at).toBeNull()
  })

  test('a file of more than 50 MB', async () => {
    const { visitor } = await toFile()
    const bytes = Buffer.alloc(51 * 1024 * 1024, 'OFXHEADER:100\n')
    const shown = await visitor.upload({ name: 'a.ofx', bytes })
    expect(shown.html).toContain('larger than 50 MB')
    expect(await stagedRows()).toEqual([])
  })

  test('a file that only part can be read of is shared as the person decides', async () => {
    const { visitor } = await toFile()
    const lines = ['2026-01-05,Coffee,-12.50', '2026-01-06,Cake,abc', '2026-01-07,Tea,-2.00']
    const bytes = `Date,Description,Amount\n${lines.join('\n')}\n`
    const details = await visitor.upload({ name: 'a.csv', bytes })
    expect(details.html).toContain('A part of the file could not be read')
    expect(details.html).toContain('Line 3: the amount cannot be read.')
    const wrong = await visitor.send({ 'kind-0': 'gold', 'balance-0': 'much' })
    expect(wrong.html).toContain('value="much"')
    for (const text of [
      'the kind of the account',
      'the number, or its',
      'three letters',
      'balance as',
    ]) {
      expect(wrong.html).toContain(text)
    }
    const fields = { 'number-0': 'de89 3704 0044 0532 0130 00', 'currency-0': 'eur' }
    await visitor.send({ 'kind-0': 'card', 'balance-0': '-1.310,25', ...fields })
    const done = await visitor.send({ account: '0' })
    expect(done.heading).toBe('Your accounts are connected')
    expect(done.html).toContain('Credit card, ending in 3000')
  })
})

describe('a person who', () => {
  test('sends the file twice shares it once', async () => {
    const { visitor, page, link_token } = await toFile()
    const both = await Promise.all([visitor.upload(camt, { page }), visitor.upload(camt, { page })])
    const stale = both.find(({ status }) => status === 409)
    const shown = stale ?? both[1]
    expect(['This page is out of date', 'About your account']).toContain(shown?.heading)
    const staged = new Set((await stagedRows()).map((row) => JSON.stringify(row)))
    expect(staged.size).toBe(2)
    await visitor.open(page.path.replace('connect', 'details'))
    const share = await visitor.send({ 'kind-0': 'checking' })
    const done = await Promise.all([
      visitor.send({ account: '0' }, { page: share }),
      visitor.send({ account: '0' }, { page: share }),
    ])
    expect(done.map(({ heading }) => heading)).toEqual(Array(2).fill('Your accounts are connected'))
    expect((await sessionOf(link_token))?.results?.item_add_results).toHaveLength(1)
    expect(await stagedRows()).toEqual([])
  })

  test('goes back and sends another file shares that one', async () => {
    const { visitor, page } = await toFile()
    await visitor.upload(camt)
    const again = await visitor.open(page.path)
    expect(again.heading).toBe('Send a file from your bank')
    const bytes = writeStatement('CAMT.053 version 2', february)
    await visitor.upload({ name: 'february.xml', bytes })
    const share = await visitor.send({ 'kind-0': 'savings' })
    expect(share.html).toContain('Feb 28, 2026')
    expect(new Set((await stagedRows()).map((row) => JSON.stringify(row))).size).toBe(2)
  })

  test('leaves takes the file along', async () => {
    const { visitor, page } = await toFile()
    await visitor.upload(camt)
    await visitor.open(page.path.replace('connect', 'leave'))
    await visitor.send()
    expect(await stagedRows()).toEqual([])
  })

  test('begins again in another browser takes the file along', async () => {
    const { visitor, path } = await toFile()
    await visitor.upload(camt)
    const other = createVisitor(service)
    await other.open(path)
    await other.send()
    expect(await stagedRows()).toEqual([])
  })

  test('comes from another site sends nothing', async () => {
    const { visitor, page } = await toFile()
    const headers = { 'sec-fetch-site': 'cross-site' }
    expect((await visitor.upload(camt, { page, headers })).status).toBe(403)
  })

  test('reads German is told in German', async () => {
    const { visitor } = await toFile({ language: 'de' })
    const shown = await visitor.upload({ name: 'a.pdf', bytes: '%PDF-1.4' })
    expect(shown.html).toContain('Das ist ein PDF')
  })

  test('shares no account of this kind is told so', async () => {
    const filters = { credit: { account_subtypes: ['all'] as ['all'] } }
    const { visitor, link_token } = await toFile({ account_filters: filters })
    await visitor.upload(camt)
    const shown = await visitor.send({ 'kind-0': 'checking' })
    expect(shown.html).toContain('no account here that can be shared')
    const none = await visitor.send({ 'kind-0': 'none' })
    expect(none.html).toContain('no account here that can be shared')
    await visitor.send({ 'kind-0': 'card' })
    await visitor.send({ account: '0' })
    const [added] = (await sessionOf(link_token))?.results?.item_add_results ?? []
    expect(added?.accounts).toMatchObject([{ type: 'credit', subtype: 'credit card' }])
  })
})

describe('update mode', () => {
  test('adds another file to the Item, with its ids and its token', async () => {
    const { access_token, item_id } = await toLinked()
    const { link_token, path } = await create({ access_token, products: undefined } as never)
    const visitor = createVisitor(service)
    const page = await visitor.open(path)
    expect(page.heading).toBe('Send another file from your bank')
    const bytes = writeStatement('CAMT.053 version 2', february)
    const share = await visitor.upload({ name: 'february.xml', bytes })
    expect(share.heading).toBe('Check what the file holds')
    expect(share.html).toContain('Already connected')
    expect((await visitor.send()).heading).toBe('Your connection is up to date')
    expect(await rowsOf(access_token)).toEqual(['2026-01-05', '2026-02-05'])
    const session = await sessionOf(link_token)
    expect(session?.results).toEqual({ item_add_results: [] })
    const { item } = await tenant.api.itemGet({ access_token }).orThrow()
    expect(item.item_id).toBe(item_id)
  })

  test('takes a file without a number for the only account of the Item', async () => {
    const { access_token } = await toLinked()
    const { path } = await create({ access_token, products: undefined } as never)
    const visitor = createVisitor(service)
    await visitor.open(path)
    const bytes = 'Date,Description,Amount\n2026-03-05,Tea,-1.00\n'
    const share = await visitor.upload({ name: 'march.csv', bytes })
    expect(share.html).toContain('Already connected')
    await visitor.send()
    expect(await rowsOf(access_token)).toEqual(['2026-01-05', '2026-03-05'])
  })
})

test('nothing of a file stands in the log, nor in clear text in the session', async () => {
  const { visitor } = await toFile()
  await visitor.upload(camt)
  const rows = await service.service.database.single.all<object>(
    'select connection, answers, events from link_sessions where client_id = $1',
    [tenant.clientId],
  )
  expect(JSON.stringify(rows)).not.toMatch(/DE89|532013000|Coffee/)
  const told: Shown = await visitor.open('/hosted/link/unknown')
  expect(told.status).toBe(404)
})
