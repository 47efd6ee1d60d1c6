import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { createBank } from '../support/items-fixtures.ts'
import { createVisitor, linkRequest, logIn, type Shown } from '../support/link-visitor.ts'
import { startService, type Tenant, type TestService } from '../support/service.ts'

// A rejected form leads to a page that is asked for by GET, so that browsers can go back to it.
let service: TestService
let tenant: Tenant
beforeAll(async () => {
  service = await startService()
})
afterAll(() => service.close())
beforeEach(async () => {
  tenant = await service.tenant()
})

async function toLogin() {
  const institution_id = await createBank(tenant)
  const request = { ...linkRequest, institution_id }
  const { link_token, hosted_link_url } = await tenant.api.linkTokenCreate(request).orThrow()
  const path = new URL(hosted_link_url).pathname
  const visitor = createVisitor(service)
  await visitor.open(path)
  return { link_token, visitor, path, page: await visitor.send() }
}

type Visitor = ReturnType<typeof createVisitor>

/** What a form is answered with, before any redirect is followed. */
function post({ cookies }: Visitor, url: string, form: Record<string, string>) {
  return service.app.inject({
    method: 'POST',
    url,
    headers: {
      host: '127.0.0.1:4000',
      cookie: [...cookies].map((pair) => pair.join('=')).join('; '),
      'content-type': 'application/x-www-form-urlencoded',
      'sec-fetch-site': 'same-origin',
    },
    payload: new URLSearchParams(form).toString(),
  })
}

const isRejected = ({ html }: Shown) => html.includes('There is a problem')

describe('a form that is rejected', () => {
  test('is answered with a redirect to its own step', async () => {
    const { visitor, page } = await toLogin()
    const answer = await post(visitor, page.path, { turn: '1', username: 'a name' })
    expect(answer.statusCode).toBe(303)
    expect(answer.headers['location']).toMatch(
      new RegExp(`^${page.path}\\?rejected=[0-9a-f-]{36}$`),
    )
    expect(answer.headers['set-cookie']).toBeUndefined()
  })

  test('shows its errors and what was typed, without the password, also when loaded again', async () => {
    const { visitor } = await toLogin()
    const fields = { username: 'a "name"', password: '' }
    const first = await visitor.send(fields)
    const again = await visitor.open(first.path)
    for (const shown of [first, again]) {
      expect(shown.html).toContain('Enter your password')
      expect(shown.html).toContain('value="a &quot;name&quot;"')
    }
    const wrong = await visitor.send({ username: 'somebody', password: 'a-password-of-mine' })
    expect(wrong.html).not.toContain('a-password-of-mine')
  })

  test('leaves its errors behind once the user went on', async () => {
    const { visitor } = await toLogin()
    const wrong = await logIn(visitor, 'user_bad')
    await logIn(visitor)
    const back = await visitor.open(wrong.path)
    expect([back.heading, isRejected(back)]).toEqual(['Log in at Tidewater Bank', false])
  })

  test('does not show in another tab what was typed in one', async () => {
    const { visitor, page } = await toLogin()
    const one = await visitor.send({ username: 'tab-one' }, { page })
    const two = await visitor.send({ username: 'tab-two' }, { page })
    const shown = [await visitor.open(one.path), await visitor.open(two.path)]
    expect(shown.map(({ html }) => /value="(tab-\w+)"/.exec(html)?.[1])).toEqual([
      'tab-one',
      'tab-two',
    ])
    expect(isRejected(await visitor.open(page.path))).toBe(false)
  })

  test('is kept for a few tabs only, and no more of it than its fields can hold', async () => {
    const { visitor, page } = await toLogin()
    const long = 'x'.repeat(10_000)
    const first = await visitor.send({ username: long }, { page })
    expect(first.html).toContain(`value="${'x'.repeat(200)}"`)
    for (let tab = 1; tab <= 4; tab += 1) await visitor.send({ username: long }, { page })
    expect(isRejected(await visitor.open(first.path))).toBe(false)
    const row = await service.service.database.single.first<{ connection: string }>(
      'select connection from link_sessions where client_id = $1',
      [tenant.clientId],
    )
    expect(row?.connection.length).toBeLessThan(10_000)
    expect(row?.connection).not.toContain('xxxx')
  })

  test('shows nothing to another session, at another step, or by a made-up address', async () => {
    const { visitor } = await toLogin()
    const { path } = await visitor.send({ username: 'mine' })
    const id = path.split('=')[1]
    const other = await toLogin()
    const tried = [
      await other.visitor.open(`${other.page.path}?rejected=${id}`),
      await visitor.open(path.replace('login', 'consent')),
      await visitor.open(`${path.split('?')[0]}?rejected=<b>&rejected=constructor`),
    ]
    expect(tried.map(isRejected)).toEqual([false, false, false])
    expect(tried.map(({ html }) => html.includes('mine'))).toEqual([false, false, false])
    expect((await createVisitor(service).open(path)).status).toBe(404)
  })

  test('keeps the search of the page', async () => {
    await createBank(tenant)
    const { hosted_link_url } = await tenant.api.linkTokenCreate(linkRequest).orThrow()
    const visitor = createVisitor(service)
    await visitor.open(new URL(hosted_link_url).pathname)
    const page = await visitor.send()
    await visitor.open(`${page.path}?q=tide&x=%0d%0ay&rejected=a`)
    const { path, html } = await visitor.send({ institution_id: 'none' })
    expect(path).toMatch(/institution\?q=tide&x=%0D%0Ay&rejected=[0-9a-f-]{36}$/)
    expect(html).toContain('Choose an institution from the list')
  })
})

describe('a form that nothing can take', () => {
  test.each([
    ['of a session that is not there', '/hosted/link/session/none/login'],
    ['of a step that is an address', '/hosted/link/session/none/%2F%2Fevil.example.com%2F'],
    ['of a session that is an address', '/hosted/link/session/%2F%2Fevil.example.com/login'],
    ['with a line break', '/hosted/link/session/a%0d%0ab/c%0d%0ad'],
    ['of a key that opens nothing', '/hosted/link/none'],
    ['of a key that is an address', '/hosted/link/%2F%2Fevil.example.com'],
  ])('%s leads to the page of its own address', async (_what, url) => {
    const answer = await post(createVisitor(service), url, { turn: '0' })
    const { location } = answer.headers
    expect([answer.statusCode, String(location).toLowerCase()]).toEqual([303, url.toLowerCase()])
    const shown = await createVisitor(service).open(url)
    expect([shown.status, shown.heading.length > 0]).toEqual([404, true])
  })

  test('leads to a page that can be loaded again: out of date, ended, begun elsewhere', async () => {
    const { visitor, path, page } = await toLogin()
    const stale = await post(visitor, page.path, { turn: '0' })
    expect([stale.statusCode, stale.headers['location']]).toEqual([
      303,
      page.path.replace('login', 'stale'),
    ])
    const other = createVisitor(service)
    await other.open(path)
    await other.send()
    const lost = await post(visitor, page.path, { turn: '1' })
    expect([lost.statusCode, lost.headers['location']]).toEqual([
      303,
      page.path.replace('login', 'done'),
    ])
    await tenant.control('sandboxClockAdvance', { seconds: 5 * 3600 })
    const ended = await post(visitor, page.path, { turn: '1' })
    expect([ended.statusCode, ended.headers['location']]).toEqual([303, page.path])
  })
})

describe('a form of another page', () => {
  test.each([
    ['another site', { 'sec-fetch-site': 'cross-site' }],
    ['another port of this host', { 'sec-fetch-site': 'same-site' }],
    ['another origin, in an old browser', { origin: 'http://localhost:5000' }],
    ['a site of another host', { origin: 'https://other.example.com' }],
    ['a page without an origin', { origin: 'null', 'sec-fetch-site': 'cross-site' }],
    ['nobody knows where', {}],
  ])('takes no form of %s', async (_, headers) => {
    const { visitor, link_token } = await toLogin()
    const fields = { username: 'user_good', password: 'x' }
    const shown = await visitor.send(fields, { headers })
    expect([shown.status, shown.heading]).toEqual([403, 'This form came from another page'])
    const { link_sessions } = await tenant.api.linkTokenGet({ link_token }).orThrow()
    expect(link_sessions[0]?.events).toHaveLength(2)
  })

  test('takes a form of an old browser that names its origin', async () => {
    const { visitor } = await toLogin()
    const fields = { username: 'user_good', password: 'x' }
    const headers = { origin: 'http://127.0.0.1:4000' }
    expect((await visitor.send(fields, { headers })).heading).toMatch(/^Choose the accounts/)
  })
})
