import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { fileInstitutionId } from '../../src/institution-list/built-in.ts'
import { listBuiltInInstitutions } from '../../src/server/operator/apply-institutions.ts'
import { originOf } from '../../src/statements/csv/origin.ts'
import { readMapping } from '../../src/statements/csv/read-mapping.ts'
import { importText, january, writeStatement } from '../support/import-file.ts'
import { createVisitor, linkRequest, type Shown } from '../support/link-visitor.ts'
import { newTenant } from '../support/operator.ts'
import { startService, type Tenant, type TestService } from '../support/service.ts'

// A CSV file that nobody knows: the person says on the page which column is what.

let service: TestService
let tenant: Tenant
beforeAll(async () => {
  const settings = { environment: 'production', reportDelayMs: 0 } as const
  service = await startService({ settings })
  await listBuiltInInstitutions(service.service)
})
afterAll(() => service.close())
beforeEach(async () => {
  tenant = await newTenant(service)
})

type Changes = Partial<Parameters<Tenant['api']['linkTokenCreate']>[0]>

async function toFile(changes: Changes = {}) {
  const request = { ...linkRequest, institution_id: fileInstitutionId, ...changes }
  const { link_token, hosted_link_url } = await tenant.api.linkTokenCreate(request).orThrow()
  const visitor = createVisitor(service)
  const { pathname: path } = new URL(hosted_link_url)
  await visitor.open(path)
  return { link_token, visitor, path, page: await visitor.send() }
}

const csvOf = (...lines: string[]) => ({ name: 'a.csv', bytes: `${lines.join('\n')}\n` })
const strange = csvOf(
  'Tag;Wert;Ding;Partner;Rest',
  '15.01.2026;-12,50;Kaffee;Tide Coffee;87,50',
  '16.01.2026;-1.300,00;"Miete; Januar";Harbor Homes;-1.212,50',
  '17.01.2026;2.000,00;Lohn;Larkspur;787,50',
)
const answers = {
  date: '1',
  form: 'DD.MM.YYYY',
  amount: '2',
  in: '',
  out: '',
  decimal: ',',
  'text-3': '1',
  counterparty: '4',
  balance: '5',
  currency: '',
  account: '',
}
const about = { 'kind-0': 'checking', 'number-0': '532013000', 'currency-0': 'EUR' }

const stagedIds = async () => {
  const sql = 'select distinct import_id from staged_rows where client_id = $1'
  return service.service.database.single.all<{ import_id: string }>(sql, [tenant.clientId])
}
const title = 'Say what the columns of your file are'
/** What a list of choices shows. */
const chosenOf = ({ html }: Shown, name: string): string | undefined => {
  const [list = ''] = new RegExp(`<select id="${name}".*?</select>`, 's').exec(html) ?? []
  return /<option value="([^"]*)" selected>/.exec(list)?.[1]
}

async function exchange(link_token: string) {
  const { link_sessions } = await tenant.api.linkTokenGet({ link_token }).orThrow()
  const public_token = link_sessions[0]?.results?.item_add_results[0]?.public_token ?? ''
  return tenant.api.itemPublicTokenExchange({ public_token }).orThrow()
}

const rowsOf = async (access_token: string) =>
  (
    await tenant.api
      .transactionsSync({ access_token, options: { include_original_description: true } })
      .orThrow()
  ).added.map(({ date, amount, original_description }) => [date, amount, original_description])

describe('a table that nobody knows', () => {
  test('is shown with its first rows and what could be guessed', async () => {
    const { visitor } = await toFile()
    const shown = await visitor.upload(strange)
    expect([shown.status, shown.heading]).toEqual([200, title])
    expect(shown.html).toContain('<caption id="rows">The first 3 lines of your file</caption>')
    expect(shown.html).toContain('<th scope="col">Ding</th>')
    expect(shown.html).toContain('<td>Miete; Januar</td>')
    const guessed = ['date', 'form', 'amount', 'in', 'decimal'].map((name) => chosenOf(shown, name))
    expect(guessed).toEqual(['1', 'DD.MM.YYYY', '2', '', ','])
    expect(shown.html).toContain('<option value="1" selected>Tag: 15.01.2026</option>')
    expect(shown.html).toContain('<option value="M/D/YYYY">2/1/2026</option>')
  })

  test('is linked as the person says, and as by the mapping of an operator', async () => {
    const { visitor, link_token } = await toFile()
    await visitor.upload(strange)
    const details = await visitor.send(answers)
    expect(details.heading).toBe('About your account')
    expect(details.html).toContain('3 transactions')
    await visitor.send(about)
    const done = await visitor.send({ account: '0' })
    expect(done.heading).toBe('Your accounts are connected')
    expect(await stagedIds()).toEqual([])
    const { access_token, item_id } = await exchange(link_token)
    expect((await rowsOf(access_token)).sort()).toEqual([
      ['2026-01-15', 12.5, 'Kaffee'],
      ['2026-01-16', 1300, 'Miete; Januar'],
      ['2026-01-17', -2000, 'Lohn'],
    ])
    const { accounts } = await tenant.api.accountsGet({ access_token }).orThrow()
    expect(accounts[0]?.balances.current).toBe(787.5)
    const given = readMapping(
      'test',
      `{separator: ";", decimal: ",", thousands: ".", date: {column: 1, form: DD.MM.YYYY}, amount: {column: 2}, description: [3], counterparty: 4, balance: {column: 5}}`,
    )
    const mapping = {
      ...given,
      account: { id: { fixed: '532013000' } },
      currency: { fixed: 'EUR' },
    }
    const order = { client_id: tenant.clientId, item_id, origin: originOf('csv', given) }
    const again = await importText(service, strange.bytes, order, { mapping })
    expect(again.accounts).toMatchObject([{ known: 3, new: 0 }])
  })

  test('shows the answers to a person who goes back', async () => {
    const { visitor } = await toFile()
    const shown = await visitor.upload(strange)
    const others = { ...answers, counterparty: '', 'text-4': '1', inverted: '1' }
    await visitor.send(others)
    const back = await visitor.open(shown.path)
    expect(back.heading).toBe(title)
    expect(chosenOf(shown, 'counterparty')).not.toBe('')
    expect(chosenOf(back, 'counterparty')).toBe('')
    for (const name of ['text-4', 'inverted']) {
      expect(back.html).toMatch(new RegExp(`name="${name}" value="1" checked`))
    }
    expect(back.html).not.toContain('There is a problem')
  })

  test('may have money in and money out in columns of their own', async () => {
    const { visitor, link_token } = await toFile()
    const file = csvOf('When,What,Plus,Minus', '1/30/2026,Coffee,,12.50', '1/31/2026,Pay,900.00,')
    await visitor.upload(file)
    const split = { ...answers, form: 'M/D/YYYY', amount: '', in: '3', out: '4', decimal: '.' }
    await visitor.send({ ...split, 'text-3': [], 'text-2': '1', counterparty: '', balance: '' })
    await visitor.send({ ...about, 'balance-0': '10' })
    await visitor.send({ account: '0' })
    const { access_token } = await exchange(link_token)
    expect((await rowsOf(access_token)).sort()).toEqual([
      ['2026-01-30', 12.5, 'Coffee'],
      ['2026-01-31', -900, 'Pay'],
    ])
  })

  test('may have no minus sign at what is spent', async () => {
    const { visitor, link_token } = await toFile()
    await visitor.upload(
      csvOf('When,What,Spent', '2026-01-30,Coffee,12.50', '2026-01-31,Back,-2.00'),
    )
    const card = { ...answers, form: 'YYYY-MM-DD', amount: '3', decimal: '.', inverted: '1' }
    await visitor.send({ ...card, 'text-3': [], 'text-2': '1', counterparty: '', balance: '' })
    await visitor.send({ ...about, 'kind-0': 'card', 'balance-0': '-10.50' })
    await visitor.send({ account: '0' })
    const { access_token } = await exchange(link_token)
    expect((await rowsOf(access_token)).map(([, amount]) => amount).sort()).toEqual([-2, 12.5])
  })

  test('is read to its end, however long it is', async () => {
    const { visitor } = await toFile()
    const lines = Array.from({ length: 20_000 }, (_, index) => `2026-01-05,-0.01,Shop ${index},x`)
    await visitor.upload(csvOf('Tag,Wert,Ding,Mehr', ...lines))
    const details = await visitor.send({
      ...{ ...answers, form: 'YYYY-MM-DD', decimal: '.' },
      ...{ counterparty: '', balance: '' },
    })
    expect(details.html).toContain('20000 transactions')
  })

  test('keeps the choice between day and month for the person', async () => {
    const { visitor } = await toFile()
    const shown = await visitor.upload(
      csvOf('Date,Description,Amount', '01/02/2026,Coffee,-12.50', '03/02/2026,Cake,-2.00'),
    )
    expect(shown.heading).toBe(title)
    expect(chosenOf(shown, 'date')).toBe('1')
    expect(chosenOf(shown, 'form')).toBe('')
  })

  test('is asked about in German', async () => {
    const { visitor } = await toFile({ language: 'de' })
    const shown = await visitor.upload(strange)
    expect(shown.heading).toBe('Sagen Sie, was die Spalten Ihrer Datei sind')
    expect(shown.html).toContain('Wie sind die Beträge geschrieben?')
  })
})

describe('answers that cannot be right', () => {
  test('are named, each with its field, and what was chosen stays', async () => {
    const { visitor } = await toFile()
    await visitor.upload(strange)
    const none = await visitor.send({ counterparty: '4' })
    expect(none.html).toMatch(/<title>Error: /)
    const named = [...none.html.matchAll(/<a href="#([^"]*)">([^<]*)</g)].map(([, field]) => field)
    expect(named).toEqual(['date', 'form', 'amount', 'decimal', 'text-1'])
    for (const field of named) expect(none.html).toContain(`id="${field}"`)
    expect([chosenOf(none, 'counterparty'), chosenOf(none, 'date')]).toEqual(['4', undefined])
    const both = await visitor.send({ ...answers, in: '5' })
    expect(both.html).toContain('Choose either one column')
    const twice = await visitor.send({ ...answers, amount: '', in: '2', out: '2' })
    expect(twice.html).toContain('another column for money out')
    const forged = await visitor.send({ ...answers, date: '99', form: 'YYYY' })
    expect(forged.html).toContain('Choose the column with the date')
    expect((await visitor.send(answers)).heading).toBe('About your account')
  })

  test('by which no line can be read are asked for again', async () => {
    const { visitor } = await toFile()
    await visitor.upload(strange)
    const shown = await visitor.send({ ...answers, form: 'YYYY-MM-DD' })
    expect(shown.heading).toBe(title)
    expect(shown.html).toContain('No line of the file can be read in this way')
    expect(chosenOf(shown, 'form')).toBe('YYYY-MM-DD')
    expect(await stagedIds()).toHaveLength(1)
    expect((await visitor.send(answers)).heading).toBe('About your account')
  })

  test('can be changed by going back', async () => {
    const { visitor } = await toFile()
    const asked = await visitor.upload(strange)
    await visitor.send({ ...answers, amount: '5' })
    const back = await visitor.open(asked.path)
    expect(back.heading).toBe(title)
    const details = await visitor.send(answers)
    expect(details.html).toContain('3 transactions')
    expect(await stagedIds()).toHaveLength(3)
  })
})

describe('a person who', () => {
  test('sends another file instead takes this one along', async () => {
    const { visitor } = await toFile()
    await visitor.upload(strange)
    const again = await visitor.send({ another: '1' })
    expect(again.heading).toBe('Send a file from your bank')
    expect(await stagedIds()).toEqual([])
    const camt = { name: 'a.xml', bytes: writeStatement('CAMT.053 version 2', january) }
    expect((await visitor.upload(camt)).heading).toBe('About your account')
  })

  test('leaves, or begins again elsewhere, takes it along', async () => {
    const { visitor } = await toFile()
    const asked = await visitor.upload(strange)
    await visitor.open(asked.path.replace('connect', 'leave'))
    await visitor.send()
    expect(await stagedIds()).toEqual([])
    const second = await toFile()
    await second.visitor.upload(strange)
    await second.visitor.send(answers)
    const other = createVisitor(service)
    await other.open(second.path)
    await other.send()
    expect(await stagedIds()).toEqual([])
  })

  test('comes back after the file was deleted for its age is asked for it again', async () => {
    const { visitor } = await toFile()
    await visitor.upload(strange)
    await service.service.database.transaction((db) =>
      db.run('delete from staged_rows where client_id = $1', [tenant.clientId]),
    )
    const shown = await visitor.send(answers)
    expect(shown.heading).toBe('Send a file from your bank')
    expect(shown.html).toContain('no longer here')
  })
})

test('a table without rows has no transactions, and is not asked about', async () => {
  const { visitor } = await toFile()
  for (const head of ['Date,Description,Amount', 'Tag,Wert,Ding']) {
    const shown = await visitor.upload(csvOf(head))
    expect(shown.html).toContain('There are no transactions in this file')
  }
})

test('the bytes of a file are sealed while the person answers', async () => {
  const { visitor } = await toFile()
  await visitor.upload(strange)
  const sql = 'select rows from staged_rows where client_id = $1'
  const staged = await service.service.database.single.all(sql, [tenant.clientId])
  expect(staged).toHaveLength(1)
  expect(JSON.stringify(staged)).not.toMatch(/Kaffee|Harbor/)
})
