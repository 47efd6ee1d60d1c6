import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest'
import { DatabaseUnavailable } from '../../src/server/kernel/database.ts'
import { createBank, link } from '../support/items-fixtures.ts'
import { createVisitor, linkRequest, logIn, valuesOf } from '../support/link-visitor.ts'
import { type Receiver, startReceiver } from '../support/receiver.ts'
import { startService, type Tenant, type TestService } from '../support/service.ts'

let service: TestService
let tenant: Tenant
let receiver: Receiver
beforeAll(async () => {
  service = await startService()
})
afterAll(() => service.close())
beforeEach(async () => {
  tenant = await service.tenant()
  receiver = await startReceiver()
})
afterEach(() => receiver.close())

type Request = Parameters<Tenant['api']['linkTokenCreate']>[0]

async function create(changes: Partial<Request> = {}) {
  // Without any institution nobody would be asked for anything.
  await createBank(tenant, { name: 'Larch Bank' })
  const { link_token, hosted_link_url } = await tenant.api
    .linkTokenCreate({ ...linkRequest, webhook: receiver.url, ...changes })
    .orThrow()
  return { link_token, path: new URL(hosted_link_url).pathname }
}

const sessionsOf = async (link_token: string) =>
  (await tenant.api.linkTokenGet({ link_token }).orThrow()).link_sessions

/** Opens a link that names an institution, and comes as far as the login. */
async function toLogin(changes: Partial<Request> = {}) {
  const institution_id = await createBank(tenant)
  const made = await create({ institution_id, ...changes })
  const visitor = createVisitor(service)
  await visitor.open(made.path)
  await visitor.send()
  return { ...made, visitor, institution_id }
}

const webhooks = async (count: number) =>
  (await receiver.arrivals(count)).map(({ body }) => JSON.parse(body.toString()))

describe('the flow', () => {
  test('links an Item, a question a page, without a script', async () => {
    const institution_id = await createBank(tenant)
    const completion_redirect_uri = 'https://lender.example.com/linked?a=1&b=2'
    const { link_token, path } = await create({ hosted_link: { completion_redirect_uri } })
    const visitor = createVisitor(service)
    const consent = await visitor.open(path)
    expect(consent.heading).toBe('Connect your accounts with Larkspur & Lending')
    expect(consent.html).toContain('Step 1 of 4')
    expect(consent.html).not.toMatch(/<script(?! src="[^"]*" defer><\/script>)/)
    await visitor.send()
    const found = await visitor.open(`${(await visitor.open(path)).path}?q=tidewater`)
    expect(valuesOf(found, 'institution_id')).toEqual([institution_id])
    const login = await visitor.send({ institution_id })
    expect(login.heading).toBe('Log in at Tidewater Bank')
    expect(login.html).toContain('user_locked')
    const accounts = await logIn(visitor)
    const [, second = ''] = valuesOf(accounts, 'account')
    expect(valuesOf(accounts, 'account').length).toBeGreaterThan(2)
    const [going] = await sessionsOf(link_token)
    expect(going).toMatchObject({ finished_at: null, exit: null, results: null })
    const done = await visitor.send({ account: [second] })
    expect(done.heading).toBe('Your accounts are connected')
    expect(done.html).toContain('href="https://lender.example.com/linked?a=1&amp;b=2"')
    const [session] = await sessionsOf(link_token)
    expect(session?.events.map(({ event_name }) => event_name)).toEqual([
      'OPEN',
      'SELECT_INSTITUTION',
      'SUBMIT_CREDENTIALS',
      'HANDOFF',
    ])
    const [added] = session?.results?.item_add_results ?? []
    expect(added?.accounts).toHaveLength(1)
    expect(accounts.html).toContain(added?.accounts[0]?.name)
    const public_token = added?.public_token ?? ''
    const [told] = await webhooks(1)
    expect(told).toMatchObject({
      webhook_code: 'SESSION_FINISHED',
      status: 'SUCCESS',
      link_session_id: session?.link_session_id,
      link_token,
      public_tokens: [public_token],
    })
    const { access_token } = await tenant.api.itemPublicTokenExchange({ public_token }).orThrow()
    const read = await tenant.api.accountsGet({ access_token }).orThrow()
    expect(read.item).toMatchObject({ institution_id, webhook: receiver.url })
    expect(read.accounts.map(({ account_id }) => account_id)).toEqual([added?.accounts[0]?.id])
  })

  test('skips the choice of an institution that the link token names', async () => {
    const { visitor, link_token } = await toLogin()
    const page = await visitor.open((await logIn(visitor, 'user_bad')).path)
    expect(page.html).toContain('Step 2 of 3')
    const [session] = await sessionsOf(link_token)
    expect(session?.events.map(({ event_name }) => event_name)).toEqual([
      'OPEN',
      'SELECT_INSTITUTION',
      'SUBMIT_CREDENTIALS',
      'ERROR',
    ])
  })

  test.each([
    ['user_bad', 'INVALID_CREDENTIALS', null],
    ['somebody', 'INVALID_CREDENTIALS', null],
    ['user_locked', 'ITEM_LOCKED', 'ITEM_LOCKED'],
    ['user_expired', 'PASSWORD_RESET_REQUIRED', 'PASSWORD_RESET_REQUIRED'],
  ])('tells of the failed login of %s', async (username, code, reason) => {
    const { visitor, link_token } = await toLogin()
    const failed = await logIn(visitor, username)
    expect([failed.status, failed.path]).toEqual([200, expect.stringMatching(/login\?rejected=/)])
    expect(failed.html).toMatch(/<title>Error: .*role="alert" tabindex="-1" autofocus/s)
    expect(failed.html).toContain(`value="${username}"`)
    await visitor.open(failed.path.replace('login', 'leave'))
    expect((await visitor.send()).heading).toBe('You have left')
    const [session] = await sessionsOf(link_token)
    const error = session?.events.find(({ event_name }) => event_name === 'ERROR')
    expect(error?.event_metadata).toEqual({ error_code: code })
    expect(session?.exit?.error?.error_code ?? null).toBe(reason)
    const [told] = await webhooks(1)
    expect(told).toMatchObject({ status: 'EXITED', public_tokens: [] })
  })

  test('asks user_mfa for a code that the page tells', async () => {
    const { visitor } = await toLogin()
    const page = await logIn(visitor, 'user_mfa')
    expect(page.heading).toBe('Enter the one-time code')
    const missing = await visitor.send({ 'one-time-code': '' })
    expect(missing.html).toContain('Enter the code')
    const wrong = await visitor.send({ 'one-time-code': '000000' })
    expect(wrong.html).toContain('The code is wrong')
    expect(wrong.html).not.toContain('000000')
    const [, told = ''] = /code is (\d+)/.exec(page.html) ?? []
    const accounts = await visitor.send({ 'one-time-code': told })
    expect(accounts.heading).toBe('Choose the accounts to share')
  })

  test('offers the accounts that the filters let through, and needs one', async () => {
    const account_filters = { credit: { account_subtypes: ['all' as const] } }
    const { visitor } = await toLogin({ account_filters })
    const accounts = await logIn(visitor)
    expect(valuesOf(accounts, 'account')).toHaveLength(1)
    const none = await visitor.send()
    expect(none.html).toContain('Choose at least one account')
    // What the page did not offer is not shared.
    expect((await visitor.send({ account: ['0'] })).html).toContain('Choose at least one account')
    const nothing = await toLogin({ account_filters: {} })
    const rejected = await logIn(nothing.visitor)
    expect(rejected.html).toContain('no account here')
    const [session] = await sessionsOf(nothing.link_token)
    expect(session?.events.at(-1)?.event_metadata).toEqual({ error_code: 'NO_ACCOUNTS' })
  })

  test('does not take an institution that the link token does not let through', async () => {
    await createBank(tenant)
    const { path } = await create()
    const visitor = createVisitor(service)
    await visitor.open(path)
    await visitor.send()
    const others = [
      '',
      'ins_0\0',
      'ins_none',
      await createBank(tenant, { country_codes: ['GB'] }),
      await createBank(tenant, { products: ['auth'] }),
      await createBank(await service.tenant()),
    ]
    for (const institution_id of others) {
      const rejected = await visitor.send({ institution_id })
      expect([institution_id, rejected.heading]).toEqual([
        institution_id,
        'Choose your institution',
      ])
      expect(rejected.html).toContain('Choose an institution from the list')
    }
  })
})

describe('the update flow', () => {
  test('repairs the Item in place, and tells so', async () => {
    const { access_token, item_id } = await link(tenant, {
      initial_products: ['auth'],
      options: { webhook: receiver.url },
    })
    const before = await tenant.api.accountsGet({ access_token }).orThrow()
    await tenant.control('sandboxItemResetLogin', { access_token })
    const { path, link_token } = await create({ access_token, products: null })
    const visitor = createVisitor(service)
    expect((await visitor.open(path)).heading).toMatch(/^Log in again at /)
    expect((await logIn(visitor)).heading).toBe('Your connection works again')
    const after = await tenant.api.accountsGet({ access_token }).orThrow()
    expect([after.item.item_id, after.accounts.length]).toEqual([item_id, before.accounts.length])
    const [session] = await sessionsOf(link_token)
    expect(session?.results).toEqual({ item_add_results: [] })
    const codes = (await webhooks(3)).map(({ webhook_code }) => webhook_code)
    expect(codes.toSorted()).toEqual(['ERROR', 'LOGIN_REPAIRED', 'SESSION_FINISHED'])
  })

  test('says so when the Item is gone', async () => {
    const { access_token } = await link(tenant)
    const { path, link_token } = await create({ access_token, products: null })
    const visitor = createVisitor(service)
    await visitor.open(path)
    await tenant.api.itemRemove({ access_token }).orThrow()
    const gone = await logIn(visitor)
    expect([gone.status, gone.heading]).toEqual([410, 'This connection is no longer possible'])
    const again = await visitor.open(path)
    expect([again.status, again.heading]).toEqual([gone.status, gone.heading])
    const login = again.path
    expect((await sessionsOf(link_token))[0]?.finished_at).toBeNull()
    const left = await visitor.open(login.replace('login', 'leave'))
    expect([left.status, left.heading]).toEqual([200, 'Do you want to leave?'])
  })
})

describe('the session of a browser', () => {
  test('has a cookie of its own, and an address without a secret', async () => {
    const { path } = await create()
    const visitor = createVisitor(service)
    const page = await visitor.open(path)
    expect(visitor.given).toEqual([
      expect.stringMatching(
        /^link-[0-9a-f-]{36}=[\w-]+\.[0-9a-f]{64}; Path=\/hosted\/link; Max-Age=\d+; HttpOnly; SameSite=Lax$/,
      ),
    ])
    const [key = ''] = [...visitor.cookies.values()]
    expect(page.path + page.html).not.toContain(key)
    expect(page.path + page.html).not.toContain(path.split('/').at(-1))
    expect(page.headers['referrer-policy']).toBe('same-origin')
    expect(page.headers['content-security-policy']).toContain("form-action 'self'")
    expect(page.headers['cache-control']).toBe('no-store')
  })

  test('is resumed where it was left', async () => {
    const { visitor, path } = await toLogin()
    expect((await visitor.open(path)).heading).toBe('Log in at Tidewater Bank')
    expect(visitor.given).toHaveLength(1)
  })

  test('opens to no other browser, which can begin again', async () => {
    const { visitor, path, link_token } = await toLogin()
    const page = await visitor.open(path)
    const other = createVisitor(service)
    expect((await other.open(page.path)).heading).toBe('This connection goes on in another browser')
    expect((await other.open(path)).heading).toBe('This link is open in another browser')
    expect((await other.send({}, { headers: {} })).status).toBe(403)
    expect((await other.send()).heading).toMatch(/^Connect your accounts/)
    expect((await visitor.open(page.path)).heading).toBe('You continued in another browser')
    const sessions = await sessionsOf(link_token)
    expect(sessions.map(({ finished_at }) => finished_at === null)).toEqual([false, true])
    expect((await webhooks(1))[0]).toMatchObject({ status: 'EXITED' })
  })

  test('goes to the browser of the user where a program previewed the link', async () => {
    const { path, link_token } = await create()
    const program = createVisitor(service)
    const seen = await program.open(path)
    const visitor = createVisitor(service)
    expect((await visitor.open(path)).heading).toMatch(/^Connect your accounts/)
    expect((await program.open(seen.path)).status).toBe(410)
    expect(await sessionsOf(link_token)).toHaveLength(1)
  })

  test('takes a form once: sent twice, from another tab, or after going back', async () => {
    const { visitor, link_token } = await toLogin()
    const login = await visitor.open((await logIn(visitor, 'user_bad')).path)
    const accounts = await logIn(visitor)
    const again = await visitor.send({ username: 'user_good', password: 'x' }, { page: login })
    expect([again.status, again.heading]).toEqual([200, 'This page is out of date'])
    expect(again.html).toContain(`href="${accounts.path}"`)
    const [first = ''] = valuesOf(accounts, 'account')
    expect((await visitor.send({ account: first }, { page: accounts })).heading).toMatch(
      /connected/,
    )
    expect((await visitor.send({ account: first }, { page: accounts })).heading).toMatch(
      /connected/,
    )
    const sessions = await sessionsOf(link_token)
    expect(sessions.map(({ results }) => results?.item_add_results.length)).toEqual([1])
    expect(await webhooks(1)).toHaveLength(1)
  })

  test('goes back to a question, and forward no further than it came', async () => {
    const { visitor } = await toLogin()
    const accounts = await logIn(visitor)
    const login = await visitor.open(accounts.path.replace('accounts', 'login'))
    expect(login.heading).toBe('Log in at Tidewater Bank')
    expect((await visitor.open(accounts.path)).heading).toBe('Choose the accounts to share')
    await visitor.open(accounts.path.replace('accounts', 'consent'))
    await visitor.send()
    expect((await visitor.open(accounts.path)).heading).toBe('Log in at Tidewater Bank')
    expect((await visitor.open(accounts.path.replace('accounts', 'code'))).path).toBe(login.path)
    expect((await visitor.open(accounts.path.replace('accounts', 'tea'))).path).toBe(login.path)
  })

  test('ends with its link token, and a used link with its success', async () => {
    const { visitor, path } = await toLogin()
    const accounts = await logIn(visitor)
    await visitor.send({ account: valuesOf(accounts, 'account') })
    expect((await visitor.open(path)).heading).toBe('This link has been used')
    const late = await toLogin()
    await tenant.control('sandboxClockAdvance', { seconds: 1800 })
    expect((await late.visitor.open(late.path)).status).toBe(404)
    expect((await logIn(late.visitor)).status).toBe(404)
    await tenant.control('sandboxClockAdvance', { seconds: 4 * 3600 })
    expect((await late.visitor.open(accounts.path.replace('accounts', 'done'))).status).toBe(404)
  })

  test('can be begun again after the user left', async () => {
    const { visitor, path } = await toLogin()
    await visitor.open((await visitor.open(path)).path.replace('login', 'leave'))
    await visitor.send()
    expect((await visitor.open(path)).heading).toBe('You have left before')
    expect((await visitor.send()).heading).toMatch(/^Connect your accounts/)
  })
})

describe('what cannot be answered', () => {
  test('is said in words: a form that is too large', async () => {
    const { visitor } = await toLogin()
    const large = await visitor.send({ username: 'x'.repeat(20_000) })
    expect([large.status, large.heading]).toEqual([413, 'The form is too large'])
  })

  test('is said in words: a failure of the store', async () => {
    const failures = [new DatabaseUnavailable('away'), new Error('a bug')]
    const { path } = await create()
    const { read, transaction } = service.service.database
    service.service.database.transaction = () => Promise.reject(failures.shift())
    const errors = vi.spyOn(console, 'error').mockReturnValue()
    const visitor = createVisitor(service)
    const pages = [await visitor.open(path), await visitor.open(path)]
    Object.assign(service.service.database, { read, transaction })
    errors.mockRestore()
    expect(pages.map(({ status, heading }) => [status, heading])).toEqual([
      [503, 'The service is busy'],
      [500, 'Something went wrong'],
    ])
  })

  test('ends: a link that is opened again and again, and a session of a hundred forms', async () => {
    const { path, visitor, link_token } = await toLogin()
    for (let form = 1; form < 100; form += 1) await logIn(visitor, 'user_bad')
    expect((await logIn(visitor)).heading).toBe('This page has ended')
    for (let session = 1; session < 50; session += 1) {
      const other = createVisitor(service)
      await other.open(path)
      await other.send()
      await other.send()
    }
    expect((await createVisitor(service).open(path)).heading).toBe('This link was opened too often')
    expect(await sessionsOf(link_token)).toHaveLength(50)
  })
})

test('the pages speak the language of the link token, or English', async () => {
  const visitor = createVisitor(service)
  const german = await visitor.open((await create({ language: 'de' })).path)
  expect(german.html).toMatch(/<html lang="de">[\s\S]*Ihre Konten mit Larkspur &amp; Lending/)
  const other = await visitor.open((await create({ language: 'fr' })).path)
  expect(other.html).toContain('<html lang="en">')
})

test('no password, code or key of a cookie is stored', async () => {
  const { visitor } = await toLogin()
  await visitor.send({ username: 'user_mfa', password: 'a-password-of-mine' })
  const rows = await service.service.database.read((db) =>
    db.all('select * from link_sessions where client_id = $1', [tenant.clientId]),
  )
  expect(rows).toHaveLength(1)
  const [key = ''] = [...visitor.cookies.values()]
  for (const secret of ['a-password-of-mine', key.split('.')[1] ?? '']) {
    expect(JSON.stringify(rows)).not.toContain(secret)
  }
})
