import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { fileInstitutionId } from '../../src/institution-list/built-in.ts'
import { listBuiltInInstitutions } from '../../src/server/operator/apply-institutions.ts'
import { createBank } from '../support/items-fixtures.ts'
import { createVisitor, linkRequest, type Shown, valuesOf } from '../support/link-visitor.ts'
import { newTenant } from '../support/operator.ts'
import { startService, type Tenant, type TestService } from '../support/service.ts'

type Request = Partial<Parameters<Tenant['api']['linkTokenCreate']>[0]>

/** Opens a link, and shows its first page. */
async function open(service: TestService, tenant: Tenant, changes: Request) {
  const request = { ...linkRequest, ...changes }
  const { link_token, hosted_link_url } = await tenant.api.linkTokenCreate(request).orThrow()
  const visitor = createVisitor(service)
  return { link_token, visitor, first: await visitor.open(new URL(hosted_link_url).pathname) }
}

const idsOf = (page: Shown) => valuesOf(page, 'institution_id')

describe('in production', () => {
  let service: TestService
  let tenant: Tenant
  beforeAll(async () => {
    service = await startService({ settings: { environment: 'production', reportDelayMs: 0 } })
    await listBuiltInInstitutions(service.service)
  })
  afterAll(() => service.close())
  beforeEach(async () => {
    tenant = await newTenant(service)
  })

  test.each([
    ['en' as const, 'Your bank is not here?', 'A file from my bank'],
    ['de' as const, 'Ihre Bank ist nicht dabei?', 'Eine Datei meiner Bank'],
  ])('a file is a choice under each search, in %s', async (language, title, choice) => {
    const { visitor } = await open(service, tenant, { language })
    const all = await visitor.send()
    const searches = ['', 'simple', 'nothing of this name', 'Datei', '%00', 'x'.repeat(300)]
    const ids: string[][] = []
    for (const text of searches) {
      const page = await visitor.open(`${all.path}?q=${text}`)
      expect(page.html).toMatch(
        new RegExp(`<h2>${title.replace('?', '\\?')}</h2>[\\s\\S]*${choice}`),
      )
      ids.push(idsOf(page))
    }
    const only = [fileInstitutionId]
    const both = ['ins_100001', fileInstitutionId]
    expect(ids).toEqual([both, both, only, only, only, only])
    await visitor.open(`${all.path}?q=nothing`)
    const next = await visitor.send({ institution_id: fileInstitutionId })
    expect(next.path).toMatch(/connect$/)
  })

  test.each([
    ['en' as const, 'Nothing can be connected here', 'Return to Larkspur'],
    ['de' as const, 'Hier lässt sich nichts verbinden', 'Zurück zu Larkspur'],
  ])('nobody consents to what nobody offers, in %s', async (language, heading, back) => {
    const completion_redirect_uri = 'https://lender.example.com/linked'
    const { visitor, first, link_token } = await open(service, tenant, {
      language,
      products: ['auth'],
      hosted_link: { completion_redirect_uri },
    })
    expect(first.heading).toBe(heading)
    expect(first.html).toContain(`href="${completion_redirect_uri}">${back}`)
    expect(first.html).not.toContain('<form')
    const page = { ...first, html: '<input name="turn" value="0">' }
    expect((await visitor.send({}, { page })).heading).toBe(heading)
    await visitor.open(first.path.replace('consent', 'leave'))
    await visitor.send()
    const { link_sessions } = await tenant.api.linkTokenGet({ link_token }).orThrow()
    expect(link_sessions[0]?.finished_at).not.toBeNull()
    expect(link_sessions[0]?.exit?.error?.error_code).toBe('PRODUCTS_NOT_SUPPORTED')
    expect(link_sessions[0]?.events.at(-1)?.event_metadata.error_code).toBe(
      'PRODUCTS_NOT_SUPPORTED',
    )
  })

  test('a user who leaves though something is offered has no error', async () => {
    const { visitor, first, link_token } = await open(service, tenant, {})
    await visitor.open(first.path.replace('consent', 'leave'))
    await visitor.send()
    const { link_sessions } = await tenant.api.linkTokenGet({ link_token }).orThrow()
    expect(link_sessions[0]?.exit).toMatchObject({ error: null })
  })
})

describe('in the sandbox', () => {
  let service: TestService
  let tenant: Tenant
  beforeAll(async () => {
    service = await startService()
  })
  afterAll(() => service.close())
  beforeEach(async () => {
    tenant = await service.tenant()
  })

  test('a search knows countries by name, and German letters in any spelling', async () => {
    const bank = (name: string, country: 'DE' | 'AT' | 'US') =>
      createBank(tenant, { name, country_codes: [country] })
    const koeln = await bank('Kölner Fährbank', 'DE')
    const weiss = await bank('Weißsee Bank', 'DE')
    const graz = await bank('Murbank', 'AT')
    const home = await bank('Tidewater Home', 'US')
    const country_codes = ['US', 'DE', 'AT'] as const
    const { visitor } = await open(service, tenant, {
      language: 'de',
      country_codes: [...country_codes],
    })
    const all = await visitor.send()
    const find = async (text: string) =>
      idsOf(await visitor.open(`${all.path}?q=${encodeURIComponent(text)}`))
    expect(await find('deutschland')).toEqual([koeln, weiss])
    expect(await find('Germany')).toEqual([koeln, weiss])
    expect(await find('Österreich')).toEqual([graz])
    expect(await find('Vereinigte Staaten')).toEqual([home])
    expect(await find('Koelner Faehrbank')).toEqual([koeln])
    expect(await find('weisssee')).toEqual([weiss])
    // A country that the link token does not name is none.
    expect(await find('Frankreich')).toEqual([])
  })
})
