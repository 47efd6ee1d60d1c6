import { describe, expect, test } from 'vitest'
import { institutionId } from '../support/connected.ts'
import { createVisitor, linkRequest } from '../support/link-visitor.ts'
import { account, actionsOn, prepareGround, row } from '../support/simplefin-ground.ts'

const ground = prepareGround()
const { first, pull, list, itemOf, findPull } = actionsOn(ground)

/** Comes as far as the question for the setup token. */
async function toQuestion(changes: object = {}) {
  const request = { ...linkRequest, institution_id: institutionId, ...changes }
  const { link_token, hosted_link_url } = await ground.tenant.api.linkTokenCreate(request).orThrow()
  const visitor = createVisitor(ground.service)
  const opened = await visitor.open(new URL(hosted_link_url).pathname)
  return { link_token, visitor, opened }
}

async function toLinked() {
  const { link_token, visitor } = await toQuestion()
  await visitor.send()
  const details = await visitor.send({ setup_token: ground.server.newToken() })
  const share = await visitor.send({ 'kind-0': 'checking' })
  const done = await visitor.send({ account: '0' })
  const session = await ground.tenant.api.linkTokenGet({ link_token }).orThrow()
  const [added] = session.link_sessions[0]?.results?.item_add_results ?? []
  const public_token = added?.public_token ?? ''
  const { access_token, item_id } = await ground.tenant.api
    .itemPublicTokenExchange({ public_token })
    .orThrow()
  const headings = [details, share, done].map(({ heading }) => heading)
  return { headings, share, done, access_token, item_id }
}

test('a setup token links the accounts, whose types the page asks for', async () => {
  const { headings, share, done, item_id, access_token } = await toLinked()
  // SimpleFIN stands for many banks, so each account is named with its own, to the last page.
  expect(share.html).toContain('First Bank: Checking (1234)')
  expect(done.html).toContain('<li>First Bank: Checking (1234)</li>')
  expect(headings).toEqual([
    'About your account',
    'Choose the accounts to share',
    'Your accounts are connected',
  ])
  await pull(item_id)
  expect(await list(access_token)).toEqual([['2026-03-10', 'Tide Coffee', 12.5, false]])
})

test('a token that was used, or is none, can be sent again', async () => {
  const token = ground.server.newToken()
  const { visitor } = await toQuestion()
  await visitor.send()
  const wrong = await visitor.send({ setup_token: 'no token' })
  expect([wrong.status, wrong.html.includes('This is not a setup token')]).toEqual([200, true])
  expect((await visitor.send({ setup_token: token })).heading).toBe('About your account')
  const other = await toQuestion()
  await other.visitor.send()
  const used = await other.visitor.send({ setup_token: token })
  expect([used.status, used.html.includes('was used before')]).toEqual([200, true])
  expect(used.html).not.toContain(token)
})

test('an outage after the claim asks the user to wait, and keeps the token', async () => {
  ground.server.mishaps = [{ status: 503 }]
  const { visitor } = await toQuestion()
  await visitor.send()
  const wait = await visitor.send({ setup_token: ground.server.newToken() })
  expect([wait.status, wait.html.includes('setup_token')]).toEqual([200, false])
  expect(wait.html).toContain('does not answer at the moment')
  // Too soon: the source is not asked again.
  await visitor.send()
  expect(ground.server.calls).toHaveLength(1)
  ground.now += 5000
  expect((await visitor.send()).heading).toBe('About your account')
})

test('update mode repairs the Item, and asks for the types of new accounts only', async () => {
  const { access_token, item_id } = await toLinked()
  await pull(item_id)
  ground.server.revoke()
  await pull(item_id)
  expect((await itemOf(access_token)).item.error?.error_code).toBe('ITEM_LOGIN_REQUIRED')
  ground.server.accounts.push(
    account({ id: 'ACT-2', name: 'Savings', rows: [row('S1', '2026-03-12')] }),
  )
  const { products: _, ...request } = linkRequest
  const { hosted_link_url } = await ground.tenant.api
    .linkTokenCreate({ ...request, access_token })
    .orThrow()
  const visitor = createVisitor(ground.service)
  await visitor.open(new URL(hosted_link_url).pathname)
  const details = await visitor.send({ setup_token: ground.server.newToken() })
  expect(details.html).not.toContain(first().name)
  await visitor.send({ 'kind-1': 'savings' })
  await visitor.send({ account: '1' })
  expect((await itemOf(access_token)).item.error).toBeNull()
  await pull(item_id)
  expect(await list(access_token)).toHaveLength(2)
})

/** Opens the page of update mode. */
async function toUpdate(access_token: string) {
  const { products: _, ...request } = linkRequest
  const { hosted_link_url } = await ground.tenant.api
    .linkTokenCreate({ ...request, access_token })
    .orThrow()
  const visitor = createVisitor(ground.service)
  return { visitor, opened: await visitor.open(new URL(hosted_link_url).pathname) }
}

const savings = () => account({ id: 'ACT-2', name: 'Savings <b>', rows: [row('S1', '2026-03-12')] })

describe('update mode while the source lets the service in', () => {
  test('shares a new account without a new setup token', async () => {
    const { access_token, item_id } = await toLinked()
    await pull(item_id)
    ground.server.accounts.push(savings())
    await pull(item_id)
    const { visitor, opened } = await toUpdate(access_token)
    expect(opened.heading).toBe('Update your connection to SimpleFIN')
    expect(opened.html).toContain('First Bank: Savings &lt;b&gt;')
    expect(opened.html).not.toContain('setup_token')
    ground.now += 5000
    const details = await visitor.send()
    expect(details.heading).toBe('About your account')
    await visitor.send({ 'kind-1': 'savings' })
    await visitor.send({ account: '1' })
    await pull(item_id)
    expect(await list(access_token)).toHaveLength(2)
  })

  test('says so where nothing has changed', async () => {
    const { access_token, item_id } = await toLinked()
    await pull(item_id)
    const { visitor } = await toUpdate(access_token)
    ground.now += 5000
    const share = await visitor.send()
    expect([share.heading, share.html.includes('There are no new accounts')]).toEqual([
      'Check your accounts',
      true,
    ])
    expect((await visitor.send()).heading).toBe('Your connection is up to date')
  })

  test('takes a new setup token from a user who has one', async () => {
    const { access_token, item_id } = await toLinked()
    await pull(item_id)
    const { visitor } = await toUpdate(access_token)
    expect((await visitor.send({ another: '1' })).html).toContain('name="setup_token"')
    ground.now += 5000
    const share = await visitor.send({ setup_token: ground.server.newToken() })
    expect(share.heading).toBe('Check your accounts')
  })

  test('asks for a new setup token where the old access address has ended', async () => {
    const { access_token, item_id } = await toLinked()
    await pull(item_id)
    const { visitor } = await toUpdate(access_token)
    ground.server.revoke()
    ground.now += 5000
    const again = await visitor.send()
    expect([
      again.html.includes('name="setup_token"'),
      again.html.includes('Connect again'),
    ]).toEqual([true, true])
    const share = await visitor.send({ setup_token: ground.server.newToken() })
    expect(share.heading).toBe('Check your accounts')
  })

  test('counts its calls with those of the pulls', async () => {
    const { access_token, item_id } = await toLinked()
    await pull(item_id)
    let last = ''
    for (let count = 0; count < 30; count += 1) {
      const { visitor } = await toUpdate(access_token)
      ground.now += 5000
      last = (await visitor.send()).html
    }
    expect(last).toContain('asked too often today')
    // The service reads once by itself, too, since the history is missing.
    const { length } = ground.server.calls
    expect([23, 24]).toContain(length)
    expect(JSON.parse((await findPull(item_id)).calls)).toHaveLength(length)
  })

  test('shows what a bank tells its user, escaped and as its words', async () => {
    const { access_token, item_id } = await toLinked()
    ground.server.errors = [{ code: 'con.auth', msg: 'Log in at <i>Tide Bank</i>', conn_id: 'C1' }]
    await pull(item_id)
    expect((await itemOf(access_token)).item.error?.error_code).toBe('ITEM_LOGIN_REQUIRED')
    const { visitor, opened } = await toUpdate(access_token)
    expect(opened.html).toContain('<blockquote>Log in at &lt;i&gt;Tide Bank&lt;/i&gt;</blockquote>')
    expect(opened.html).toContain('The institution says')
    expect(opened.html).toContain('A bank asks you to log in again')
    ground.server.errors = [{ code: 'gen.notice', msg: 'Maintenance on Sunday' }]
    ground.now += 5000
    const share = await visitor.send()
    expect(share.html).toContain('<blockquote>Maintenance on Sunday</blockquote>')
    await visitor.send()
    expect((await itemOf(access_token)).item.error).toBeNull()
  })
})

test('a payment that the source asks for does not cost the setup token', async () => {
  ground.server.mishaps = [{ status: 402 }]
  const { visitor, link_token } = await toQuestion()
  await visitor.send()
  const asks = await visitor.send({ setup_token: ground.server.newToken() })
  expect(asks.html).toContain('such as a payment')
  expect(asks.html).toContain('When you have finished on the website')
  expect(asks.html).not.toContain('Confirm the connection')
  expect(asks.html).not.toContain('name="setup_token"')
  const { link_sessions } = await ground.tenant.api.linkTokenGet({ link_token }).orThrow()
  expect(link_sessions[0]?.events.at(-1)).toMatchObject({
    event_name: 'ERROR',
    event_metadata: { error_code: 'USER_SETUP_REQUIRED' },
  })
  ground.now += 5000
  expect((await visitor.send()).heading).toBe('About your account')
})

test('an outage that ends with a rejection leads back to the question for a token', async () => {
  ground.server.mishaps = [{ status: 503 }, { status: 403 }]
  const { visitor } = await toQuestion()
  await visitor.send()
  await visitor.send({ setup_token: ground.server.newToken() })
  ground.now += 5000
  const again = await visitor.send()
  expect([again.status, again.html.includes('name="setup_token"')]).toEqual([200, true])
  expect((await visitor.send({ setup_token: ground.server.newToken() })).heading).toBe(
    'About your account',
  )
})

test('a page that waits leaves half of the quota to the first reads', async () => {
  ground.server.mishaps = Array.from({ length: 20 }, () => ({ status: 503 }))
  const { visitor } = await toQuestion()
  await visitor.send()
  let shown = await visitor.send({ setup_token: ground.server.newToken() })
  for (let count = 0; count < 14; count += 1) {
    ground.now += 5000
    shown = await visitor.send()
  }
  expect(ground.server.calls).toHaveLength(12)
  expect([shown.status, shown.html.includes('asked too often today')]).toEqual([200, true])
})
