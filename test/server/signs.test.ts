import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { applyCategories } from '../../src/server/operator/apply-categories.ts'
import { applyInstitutions } from '../../src/server/operator/apply-institutions.ts'
import type { ImportOrder } from '../../src/server/operator/import-file.ts'
import { runOperatorCommand } from '../../src/server/operator/operator-command.ts'
import type { Signs } from '../../src/server/sources/signs.ts'
import { importText, january, writeStatement } from '../support/import-file.ts'
import { newAccessToken, newTenant } from '../support/operator.ts'
import { startService, type TestService } from '../support/service.ts'

// Banks contradict each other about the sign of what is owed on a card, and of purchases.

let service: TestService
beforeAll(async () => {
  service = await startService({ settings: { environment: 'production', reportDelayMs: 0 } })
})
afterAll(() => service.close())

interface Told {
  balance: string
  purchase: string
  day?: string
}

/** A card's file with a purchase of 12.50, which leads to a debt of 30.00. */
const cardFile = ({ balance, purchase, day = '05' }: Told) => `OFXHEADER:100
DATA:OFXSGML

<OFX><CREDITCARDMSGSRSV1><CCSTMTTRNRS><CCSTMTRS><CURDEF>EUR
<CCACCTFROM><ACCTID>5500000000004455</CCACCTFROM>
<BANKTRANLIST><STMTTRN><TRNTYPE>DEBIT<DTPOSTED>202601${day}<TRNAMT>${purchase}<FITID>${day}<NAME>Coffee</STMTTRN></BANKTRANLIST>
<LEDGERBAL><BALAMT>${balance}<DTASOF>202601${day}</LEDGERBAL>
<AVAILBAL><BALAMT>970.00<DTASOF>202601${day}</AVAILBAL>
</CCSTMTRS></CCSTMTTRNRS></CREDITCARDMSGSRSV1></OFX>`

async function openCard() {
  const tenant = await newTenant(service)
  let itemId: string | null = null
  return {
    tenant,
    async take(file: string, more: Partial<ImportOrder> = {}) {
      const done = await importText(service, file, { client_id: tenant.clientId, ...more })
      itemId = done.item_id ?? itemId
      return done
    },
    async shown() {
      const access_token = await newAccessToken(service, itemId)
      const { accounts } = await tenant.api.accountsGet({ access_token }).orThrow()
      const { added } = await tenant.api.transactionsSync({ access_token }).orThrow()
      const [{ balances } = { balances: undefined }] = accounts
      return {
        debt: balances?.current,
        available: balances?.available,
        amounts: added.map(({ amount }) => amount),
      }
    },
    async item() {
      const command = { item: 'show', id: itemId ?? '', actor: 'test' } as const
      const done = await runOperatorCommand(service.service, command, (async function* () {})())
      return 'items' in done ? done.items[0] : undefined
    },
  }
}

const right = { debt: 30, available: 970, amounts: [12.5] }

describe('a card', () => {
  test.each<[string, Told, Signs]>([
    ['from its holder', { balance: '-30.00', purchase: '-12.50' }, {}],
    ['with positive debts', { balance: '30.00', purchase: '-12.50' }, { debt: 'positive' }],
    ['with positive charges', { balance: '-30.00', purchase: '12.50' }, { charges: 'positive' }],
    [
      'from the bank',
      { balance: '30.00', purchase: '12.50' },
      { debt: 'positive', charges: 'positive' },
    ],
  ])('that is told %s is shown from its holder', async (_, told, signs) => {
    const card = await openCard()
    await card.take(cardFile(told), { signs })
    expect(await card.shown()).toEqual(right)
    const again = await card.take(cardFile(told))
    expect(again.accounts).toMatchObject([{ type: 'credit', new: 0, known: 1 }])
    await card.take(cardFile({ ...told, day: '06' }))
    expect(await card.shown()).toEqual({ ...right, amounts: [12.5, 12.5] })
    expect((await card.take(cardFile(told), { dryRun: true })).accounts).toMatchObject([
      { changed: 0, known: 1 },
    ])
  })

  test('that was imported with the wrong signs is corrected by the same file', async () => {
    const card = await openCard()
    const file = cardFile({ balance: '30.00', purchase: '12.50' })
    await card.take(file)
    expect(await card.shown()).toEqual({ debt: -30, available: 970, amounts: [-12.5] })
    expect(await card.item()).toMatchObject({ signs: [] })
    await card.take(file, { signs: { debt: 'positive' } })
    expect(await card.shown()).toEqual({ debt: 30, available: 970, amounts: [-12.5] })
    const done = await card.take(file, { signs: { charges: 'positive' } })
    expect(done.accounts).toMatchObject([{ new: 0, changed: 1 }])
    expect(await card.shown()).toEqual(right)
    const signs = { account_name: 'Credit card 4455', format: 'ofx' }
    expect(await card.item()).toMatchObject({
      signs: [{ ...signs, debt: 'positive', charges: 'positive' }],
    })
    await card.take(file, { signs: { debt: 'negative' } })
    expect((await card.shown()).debt).toBe(-30)
  })

  test('keeps signs for each format, since each may have others', async () => {
    const card = await openCard()
    const kind = { type: 'credit', subtype: 'credit card' }
    await card.take(writeStatement('OFX 1.x', january).replaceAll('<ACCTTYPE>CHECKING', ''), {
      kind,
      signs: { debt: 'positive' },
    })
    expect((await card.shown()).debt).toBe(87.5)
    const february = {
      ...january,
      opening: { amount: '-87.50', date: '2026-02-01' },
      closing: { amount: '-100.00', date: '2026-02-28' },
      bookings: [{ id: 'B1', date: '2026-02-03', amount: '-12.50', description: 'Books' }],
    }
    const done = await card.take(writeStatement('CAMT.053 version 2', february))
    expect(done).toMatchObject({ skipped: [], accounts: [{ is_new: false, new: 1 }] })
    expect((await card.shown()).debt).toBe(100)
  })

  test('whose balances fit only with other signs is left out, and the reason names the options', async () => {
    const card = await openCard()
    const kind = { type: 'credit', subtype: 'credit card' }
    const told = { ...january, closing: { amount: '112.50', date: '2026-01-31' } }
    const file = writeStatement('MT940', told)
    const left = await card.take(file, { kind })
    expect(left.skipped).toMatchObject([{ reason: expect.stringContaining('--debt, --charges') }])
    expect(await card.item().catch(() => undefined)).toBeUndefined()
    await card.take(file, { kind, signs: { debt: 'positive' } })
    expect(await card.shown()).toMatchObject({ debt: 112.5, amounts: [12.5] })
  })
})

test('signs do not concern an account on which nothing can be owed', async () => {
  const card = await openCard()
  const signs = { debt: 'positive', charges: 'positive' } as const
  await card.take(writeStatement('OFX 1.x', january), { signs })
  expect(await card.shown()).toMatchObject({ debt: 87.5, amounts: [12.5] })
  expect(await card.item()).toMatchObject({ signs: [] })
})

test('an institution says the signs of all its files, and an account others', async () => {
  const card = await openCard()
  const institution = {
    institution_id: 'ins_harbor',
    name: 'Harbor Quay Bank',
    country_codes: ['DE' as const],
    products: ['transactions' as const],
    connector: 'file' as const,
    settings: { debt: 'positive', charges: 'positive' },
  }
  const list = { institutions: [institution], builtIn: true }
  await applyInstitutions(service.service, list, { file: 'i.yaml', actor: 'service:start' })
  const order = { institution_id: 'ins_harbor' }
  await card.take(cardFile({ balance: '30.00', purchase: '12.50' }), order)
  expect(await card.shown()).toEqual(right)
  const other = { balance: '-30.00', purchase: '12.50', day: '06' }
  await card.take(cardFile(other), { ...order, signs: { debt: 'negative' } })
  expect(await card.shown()).toEqual({ ...right, amounts: [12.5, 12.5] })
})

test('settings of an institution may be references, and those to nothing reject a file', async () => {
  const card = await openCard()
  const institution = {
    institution_id: 'ins_quay',
    name: 'Quay Bank',
    country_codes: ['DE' as const],
    products: ['transactions' as const],
    connector: 'file' as const,
    settings: { formats: ['env:SIGNS_TEST_FORMAT'], debt: 'env:SIGNS_TEST_DEBT' },
  }
  const list = { institutions: [institution], builtIn: true }
  await applyInstitutions(service.service, list, { file: 'i.yaml', actor: 'service:start' })
  const order = { institution_id: 'ins_quay' }
  const file = cardFile({ balance: '30.00', purchase: '-12.50' })
  await expect(card.take(file, order)).rejects.toThrow('(Quay Bank) cannot be used')
  vi.stubEnv('SIGNS_TEST_FORMAT', 'ofx')
  vi.stubEnv('SIGNS_TEST_DEBT', 'positive')
  await card.take(file, order)
  expect(await card.shown()).toEqual(right)
  vi.unstubAllEnvs()
})

test('the own categories of an operator follow the corrected direction', async () => {
  const card = await openCard()
  const way = { category: 'TRAVEL_LODGING', direction: 'out' } as const
  await applyCategories(service.service, [{ words: ['coffee'], ...way }], {
    file: 'c.yaml',
    actor: 'service:start',
  })
  await card.take(cardFile({ balance: '-30.00', purchase: '12.50' }), {
    signs: { charges: 'positive' },
  })
  const id = (await card.item())?.item_id ?? ''
  const access_token = await newAccessToken(service, id)
  const { added } = await card.tenant.api.transactionsSync({ access_token }).orThrow()
  expect(added.map((one) => one.personal_finance_category?.detailed)).toEqual(['TRAVEL_LODGING'])
})
