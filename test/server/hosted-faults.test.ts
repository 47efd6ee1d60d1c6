import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { createVisitor, linkRequest } from '../support/link-visitor.ts'
import { startService, type Tenant, type TestService } from '../support/service.ts'

let service: TestService
let tenant: Tenant
beforeAll(async () => {
  service = await startService()
})
afterAll(() => service.close())
beforeEach(async () => {
  tenant = await service.tenant()
})

async function toPath(): Promise<string> {
  const { hosted_link_url } = await tenant.api.linkTokenCreate(linkRequest).orThrow()
  return new URL(hosted_link_url).pathname
}

describe('an address that is not quite that of a page', () => {
  test.each([
    ['without a key', '/hosted/link', 404],
    ['with a broken percent sign', '/hosted/link/%zz', 404],
    ['with a part too many', '/hosted/link/a/b', 404],
  ])('%s is answered by a page', async (_what, url, status) => {
    const answer = await service.app.inject({ url, headers: { host: '127.0.0.1:4000' } })
    expect([answer.statusCode, answer.headers['content-type']]).toEqual([
      status,
      'text/html; charset=utf-8',
    ])
    expect(answer.body).toContain('This link does not work')
  })

  test('with a slash at its end leads to the page', async () => {
    const shown = await service.app.inject({ url: `${await toPath()}/`, headers: { host: 'a' } })
    expect([shown.statusCode, shown.headers['location']]).toEqual([
      308,
      expect.stringMatching(/[^/]$/),
    ])
  })

  test('is asked for by HEAD without beginning a session', async () => {
    const url = await toPath()
    const shown = await service.app.inject({ method: 'HEAD', url, headers: { host: 'a' } })
    expect([shown.statusCode, shown.body, shown.headers['set-cookie']]).toEqual([
      200,
      '',
      undefined,
    ])
  })

  test('takes no other method, and says nothing of noted errors', async () => {
    const url = await toPath()
    const shown = await service.app.inject({ method: 'PUT', url, headers: { host: 'a' } })
    expect([shown.statusCode, shown.body.includes('noted')]).toEqual([405, false])
    expect(shown.body).toContain('Nothing was done')
  })
})

test('messages without a link token are in the language of the browser', async () => {
  const open = async (language: string) => {
    const shown = await createVisitor(service, { language }).open('/hosted/link/unknown')
    return [/<html lang="(..)"/.exec(shown.html)?.[1], shown.heading]
  }
  expect(await open('de-AT,de;q=0.9,en;q=0.8')).toEqual(['de', 'Dieser Link funktioniert nicht'])
  expect(await open('fr;q=0.9, DE')).toEqual(['de', 'Dieser Link funktioniert nicht'])
  expect(await open('fr')).toEqual(['en', 'This link does not work'])
  expect(await open('constructor')).toEqual(['en', 'This link does not work'])
})

test('a session that was removed says so, and not that it goes on elsewhere', async () => {
  const visitor = createVisitor(service)
  const page = await visitor.open(await toPath())
  const { clientId } = tenant
  await service.service.database.transaction((db) =>
    db.run('delete from link_sessions where client_id = $1', [clientId]),
  )
  const shown = await visitor.open(page.path)
  expect([shown.status, shown.heading]).toEqual([410, 'This page is no longer open'])
})
