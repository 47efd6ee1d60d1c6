import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { fileInstitutionId } from '../../src/institution-list/built-in.ts'
import { listBuiltInInstitutions } from '../../src/server/operator/apply-institutions.ts'
import { createBank } from '../support/items-fixtures.ts'
import { createVisitor, linkRequest, logIn, type Shown, valuesOf } from '../support/link-visitor.ts'
import { newTenant } from '../support/operator.ts'
import { startService, type Tenant, type TestService } from '../support/service.ts'

const completion_redirect_uri = 'https://lender.example.com/linked?a=1'
const hosted_link = { completion_redirect_uri }
const hasReturn = ({ html }: Shown) =>
  html.includes('href="https://lender.example.com/linked?a=1">Return to Larkspur &amp; Lending')

let service: TestService
let tenant: Tenant

describe('in the sandbox', () => {
  beforeAll(async () => {
    service = await startService()
  })
  afterAll(() => service.close())
  beforeEach(async () => {
    tenant = await service.tenant()
  })

  async function toLogin(changes: object = {}) {
    const institution_id = await createBank(tenant)
    const request = { ...linkRequest, institution_id, hosted_link, ...changes }
    const { hosted_link_url } = await tenant.api.linkTokenCreate(request).orThrow()
    const path = new URL(hosted_link_url).pathname
    const visitor = createVisitor(service)
    await visitor.open(path)
    return { visitor, path, page: await visitor.send() }
  }

  const banner = (pages: readonly Shown[]) =>
    pages.map(({ html }) => html.includes('This is a sandbox.'))

  test('messages have the banner, and a way back where the link token names one', async () => {
    const { visitor, path, page } = await toLogin()
    const other = createVisitor(service)
    const begun = await other.open(path)
    const stale = await visitor.open(page.path.replace('login', 'stale'))
    const gone = await visitor.open(page.path.replace('login', 'gone'))
    const unknown = await visitor.open('/hosted/link/none')
    const elsewhere = await createVisitor(service).open(page.path)
    const accounts = await logIn(await reopened(visitor, page))
    await visitor.send({ account: valuesOf(accounts, 'account') })
    const used = await visitor.open(path)
    expect(banner([begun, stale, gone, unknown, elsewhere, used])).toEqual(Array(6).fill(true))
    expect([begun, gone, used].map(hasReturn)).toEqual([true, true, true])
    expect(used.heading).toBe('This link has been used')
  })

  async function reopened(visitor: ReturnType<typeof createVisitor>, { path }: Shown) {
    await visitor.open(path)
    return visitor
  }

  test('leaving is the lesser button, and a used link without a way back says what to do', async () => {
    const { visitor, path, page } = await toLogin({ hosted_link: undefined })
    const leave = await visitor.open(page.path.replace('login', 'leave'))
    expect(leave.html).toContain('<button class="second">Leave</button>')
    expect(leave.html).toContain(`<a class="button" href="${page.path}">No, go back</a>`)
    await visitor.open(page.path)
    const accounts = await logIn(visitor)
    await visitor.send({ account: valuesOf(accounts, 'account') })
    expect((await visitor.open(path)).html).toContain('You can close this window.')
  })

  test('each step says who runs the page, and for whom', async () => {
    const { visitor, page } = await toLogin()
    const accounts = await logIn(visitor)
    const done = await visitor.send({ account: valuesOf(accounts, 'account') })
    const words = `The service at ${new URL(service.service.publicUrl()).host} runs this page for Larkspur &amp; Lending.`
    for (const shown of [page, accounts, done]) expect(shown.html).toContain(words)
  })
})

describe('in production', () => {
  beforeAll(async () => {
    service = await startService({ settings: { environment: 'production', reportDelayMs: 0 } })
    await listBuiltInInstitutions(service.service)
  })
  afterAll(() => service.close())
  beforeEach(async () => {
    tenant = await newTenant(service)
  })

  async function toConnect(institution_id: string, changes: object = {}) {
    const request = { ...linkRequest, institution_id, ...changes }
    const { link_token, hosted_link_url } = await tenant.api.linkTokenCreate(request).orThrow()
    const visitor = createVisitor(service)
    await visitor.open(new URL(hosted_link_url).pathname)
    return { link_token, visitor, page: await visitor.send() }
  }

  test.each([
    ['en' as const, ['another provider', 'Where do I get a setup token?', 'It cannot move money.']],
    [
      'de' as const,
      ['eines anderen Anbieters', 'Woher bekomme ich ein Setup-Token?', 'Geld bewegen'],
    ],
  ])('SimpleFIN is explained to a user who does not know it, in %s', async (language, texts) => {
    const { page } = await toConnect('ins_100001', { language })
    for (const text of texts) expect(page.html).toContain(text)
    expect(page.html).toContain(
      '<a href="https://bridge.simplefin.org/" target="_blank" rel="noreferrer">',
    )
  })

  test.each([
    ['en' as const, 'What happens with the file?', 'Checking account, ending in 4321'],
    ['de' as const, 'Was geschieht mit der Datei?', 'Girokonto, endet auf 4321'],
  ])(
    'a file and its account are spoken of in the words of the page, in %s',
    async (language, kept, name) => {
      const { visitor, page, link_token } = await toConnect(fileInstitutionId, { language })
      expect(page.html).toContain(kept)
      const bytes = 'Date,Description,Amount\n2026-01-05,Coffee,-12.50\n'
      await visitor.upload({ name: 'a.csv', bytes })
      const fields = { 'kind-0': 'checking', 'number-0': '4321', 'currency-0': 'EUR' }
      const share = await visitor.send({ ...fields, 'balance-0': '10' })
      const done = await visitor.send({ account: '0' })
      expect([share, done].map(({ html }) => html.includes(name))).toEqual([true, true])
      expect(done.html).not.toMatch(/A file from my bank|Checking 4321/)
      const { link_sessions } = await tenant.api.linkTokenGet({ link_token }).orThrow()
      // What the application reads has one language.
      const [added] = link_sessions[0]?.results?.item_add_results ?? []
      expect(added?.accounts[0]?.name).toBe('Checking 4321')
    },
  )

  test.each([
    ['en' as const, 'Another provider, which connects to your bank for you'],
    ['de' as const, 'Ein anderer Anbieter, der sich für Sie mit Ihrer Bank verbindet'],
  ])('the list says what SimpleFIN is, in %s', async (language, hint) => {
    const request = { ...linkRequest, language }
    const { hosted_link_url } = await tenant.api.linkTokenCreate(request).orThrow()
    const visitor = createVisitor(service)
    await visitor.open(new URL(hosted_link_url).pathname)
    const { html } = await visitor.send()
    expect(html).toContain(`<span>SimpleFIN<small>${hint}</small></span>`)
  })

  test('messages have no banner of the sandbox', async () => {
    expect((await createVisitor(service).open('/hosted/link/none')).html).not.toContain('sandbox')
  })
})
