import { gzipSync } from 'node:zlib'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { readyAccessToken } from '../../src/server/clients/well-known-clients.ts'
import { startWorld, type Tenant, type TestService } from '../support/service.ts'

// Messages by which a caller repairs a wrong request at the first try.

let world: TestService
let client: Tenant
beforeAll(async () => {
  const started = await startWorld()
  world = started
  client = started.client
})
afterAll(() => world.close())

const access_token = readyAccessToken
const item = { institution_id: 'ins_109508', initial_products: ['transactions'] as const }
const link = {
  client_name: 'Larkspur Lending',
  language: 'en',
  country_codes: ['US'],
  user: { client_user_id: 'b-7' },
  products: ['transactions'],
} as const

/** What the caller reads of an error. */
async function told(path: string, sent: object): Promise<[message: unknown, action: unknown]> {
  const { body } = await client.post(path, sent)
  return [body['error_message'], body['suggested_action']]
}

async function makeItem(products: readonly ['transactions' | 'identity']): Promise<string> {
  const asked = { ...item, initial_products: [...products] }
  const { public_token } = await client.control('sandboxPublicTokenCreate', asked)
  return (await client.control('itemPublicTokenExchange', { public_token })).access_token
}

describe('a path', () => {
  const all = /check the base URL and the path; the reference lists all operations/

  test.each([
    ['/public_token/exchange', /did you mean `\/item\/public_token\/exchange`\?$/],
    ['/auth/get', all],
    ['/oath/tokn', /did you mean `\/oauth\/token`\?$/],
    ['/exchange', all],
  ])('%s', async (path, message) => {
    expect((await told(path, {}))[0]).toMatch(message)
  })
})

describe('ignored fields', () => {
  const ignoredBy = async (path: string, sent: object) => {
    const { status, headers } = await client.post(path, sent)
    return [status, headers.get('ignored-fields')]
  }

  test.each([
    [{ webhook: 1234 }, 'webhook (did you mean options.webhook?)'],
    [{ webhoook: 'x' }, 'webhoook (did you mean options.webhook?)'],
    [{ options: { webhok: 'x' } }, 'options.webhok (did you mean options.webhook?)'],
    [{ colour: 'x', shade: 'x' }, 'colour, shade'],
    [{ 'x\r\ny': 1 }, 'a field with another name'],
    [{ options: { webhook: 'https://lender.example.com/webhooks' } }, null],
  ])('of %j are named in a header', async (extra, expected) => {
    expect(await ignoredBy('/sandbox/public_token/create', { ...item, ...extra })).toEqual([
      200,
      expected,
    ])
  })

  test('are found by a part of the name, and in elements of an array', async () => {
    expect(await ignoredBy('/link/token/create', { ...link, redirect_uri: 5 })).toEqual([
      200,
      'redirect_uri (did you mean hosted_link.completion_redirect_uri?)',
    ])
    const transaction = { amount: 1, date_posted: '2026-03-01', date_transacted: '2026-03-01' }
    const transactions = [{ ...transaction, description: 'x', amout: 1 }]
    const token = await makeItem(['transactions'])
    const body = { access_token: token, transactions }
    expect((await ignoredBy('/sandbox/transactions/create', body))[1]).toBe(
      'transactions[0].amout (did you mean transactions[0].amount?)',
    )
  })

  test('are at most 20', async () => {
    const many = Object.fromEntries(Array.from({ length: 30 }, (_, at) => [`xyz${at}`, at]))
    const [, header] = await ignoredBy('/item/get', { access_token, ...many })
    expect(String(header).split(', ')).toHaveLength(20)
  })

  test('do not exist where unknown fields are rejected or kept', async () => {
    const event = { timestamp: '2026-03-16T14:05:07Z', app_visit: {}, own: 1 }
    expect(await ignoredBy('/protect/event/send', { event })).toEqual([200, null])
    expect(await ignoredBy('/accounts/get', { access_token })).toEqual([200, null])
  })
})

describe('a body', () => {
  const text = JSON.stringify({ access_token })

  test.each([
    ['compressed', gzipSync(text)],
    ['plain', text],
  ])('with `Content-Encoding` is rejected: %s', async (_, body) => {
    const headers = {
      'Content-Type': 'application/json',
      'Content-Encoding': 'gzip',
      'SERVICE-CLIENT-ID': client.clientId,
      'SERVICE-SECRET': client.secret,
    }
    const request = new Request(`${world.url}/accounts/get`, { method: 'POST', headers, body })
    const answer = await world.fetch(request)
    expect(answer.status).toBe(400)
    expect(await answer.json()).toMatchObject({
      error_code: 'INVALID_HEADERS',
      error_message: expect.stringMatching(/`Content-Encoding` must be left out/),
      suggested_action: 'Leave the header out, and send the body uncompressed.',
    })
  })

  test('that is empty is told what an empty object lacks', async () => {
    const headers = {
      'Content-Type': 'application/json',
      'SERVICE-CLIENT-ID': client.clientId,
      'SERVICE-SECRET': client.secret,
    }
    const request = new Request(`${world.url}/identity/refresh`, { method: 'POST', headers })
    expect(await (await world.fetch(request)).json()).toMatchObject({
      error_message: 'the body is empty; it must be a JSON object; missing fields: `access_token`',
    })
  })

  test('with a timestamp in place of a date is told the form', async () => {
    const sent = { access_token, start_date: '2026-10-01T00:00:00.000Z', end_date: '10/01/2026' }
    const form = 'must be a calendar date in the form YYYY-MM-DD'
    expect((await told('/transactions/get', sent))[0]).toBe(
      `\`start_date\` ${form}; \`end_date\` ${form}`,
    )
  })

  test('with too many elements is told what the first lacks', async () => {
    const transactions = Array.from({ length: 11 }, () => ({ amount: '12,50', date: 'x' }))
    const [message] = await told('/sandbox/transactions/create', { access_token, transactions })
    expect(message).toContain('`transactions` must hold at most 10 elements')
    expect(message).toContain('`transactions[0].amount` must be a number')
    expect(message).not.toContain('transactions[1]')
  })

  test('is told once what many elements lack, and which ignored field was meant', async () => {
    const transactions = Array.from({ length: 10 }, () => ({ amount: 1, date: 'x' }))
    const { body } = await client.post('/sandbox/transactions/create', {
      access_token,
      transactions,
    })
    expect(body['error_message']).toMatch(
      /^missing fields: (`transactions\[0\]\.\w+` \(also in 9 other elements\)(, |; )){3}ignored/,
    )
    expect(body['error_message']).toContain(
      '`transactions[0].date` (did you mean `transactions[0].date_posted`?)',
    )
    expect(body['error_message']).not.toContain('transactions[9].date_')
    expect(body['fields']).toHaveLength(20)
  })

  test('with an unknown field is told of a foreign cursor, too', async () => {
    const [message] = await told('/dashboard_user/list', { cursor: '2', limit: 10 })
    expect(message).toMatch(/^unknown fields: `limit`; `cursor` must be the `next_cursor` of/)
  })

  test.each([
    [
      {},
      'missing fields: `network` (one of: ach, same-day-ach, rtp, wire; ach and same-day-ach need `ach_class`, which is ccd or ppd for a credit, and ccd, tel or web for a debit)',
    ],
    [{ network: 'ach' }, 'missing fields: `ach_class` (one of: ccd, tel, web)'],
    [{ network: 'ach', type: 'credit' }, 'missing fields: `ach_class` (one of: ccd, ppd)'],
  ])('without a class is offered those of its transfer: %j', async (changes, message) => {
    const sent = {
      account_id: 'x'.repeat(37),
      type: 'debit',
      amount: '10.00',
      description: 'rent',
      user: { legal_name: 'Ada Quill' },
      ...changes,
    }
    expect((await told('/sandbox/transfer/create', sent))[0]).toBe(message)
  })

  test('may say that it is not encoded', async () => {
    const headers = { 'Content-Encoding': 'identity' }
    expect((await client.post('/accounts/get', { access_token }, headers)).status).toBe(200)
  })

  test('with null in required fields is not told to add them', async () => {
    const [, ofNull] = await told('/accounts/get', { access_token: null })
    expect(ofNull).toBe('Send values other than null in the named fields.')
    const [, ofBoth] = await told('/transactions/get', { access_token, end_date: null })
    expect(ofBoth).toBe('Send the named fields with values.')
  })

  test('with another client id than the header learns that it is a credential', async () => {
    expect(await told('/sandbox/client/create', { client_id: 'larkspur' })).toEqual([
      'the field `client_id` is read as a credential, and it differs from the header `SERVICE-CLIENT-ID`',
      'Leave `client_id` out of the body, or send the value of the header there.',
    ])
  })
})

test('missing credentials are to be sent as headers', async () => {
  const headers = { 'Content-Type': 'application/json' }
  const request = new Request(`${world.url}/item/get`, { method: 'POST', headers, body: '{}' })
  expect(await (await world.fetch(request)).json()).toMatchObject({
    error_code: 'MISSING_FIELDS',
    suggested_action: 'Send the named headers.',
  })
})

describe('an id', () => {
  test('with white space around it is told so by errors that no schema makes', async () => {
    const { public_token } = await client.control('sandboxPublicTokenCreate', {
      ...item,
      initial_products: ['transactions'],
    })
    const [end] = await told('/item/public_token/exchange', { public_token: `${public_token}\n` })
    expect(end).toMatch(/; it has white space at its end$/)
    const [inside] = await told('/accounts/get', {
      access_token,
      options: { account_ids: [' unknown'] },
    })
    expect(inside).toMatch(/^`options\.account_ids\[0\]` .*; it has white space at its start$/)
    const [none] = await told('/item/public_token/exchange', { public_token: 'unknown' })
    expect(none).not.toContain('white space')
  })

  test('of a replaced access token names the replacement', async () => {
    const replaced = await makeItem(['transactions'])
    await client.control('itemAccessTokenInvalidate', { access_token: replaced })
    const [message, action] = await told('/accounts/get', { access_token: replaced })
    expect(message).toContain('`/item/access_token/invalidate` has not replaced')
    expect(action).toContain('`new_access_token`')
  })

  test('of an institution elsewhere names its countries', async () => {
    const sent = { institution_id: 'ins_109508', country_codes: ['GB'] }
    expect(await told('/institutions/get_by_id', sent)).toEqual([
      'the institution of `institution_id` works in other countries than `country_codes` names; it works in: US',
      'Name one of these countries in `country_codes`, or choose another institution.',
    ])
  })

  test('of a wallet names the list', async () => {
    const [message] = await told('/wallet/get', { wallet_id: 'unknown' })
    expect(message).toContain('`/wallet/list`')
  })

  test('of a template names what makes one', async () => {
    const [, action] = await told('/identity_verification/list', {
      template_id: 'unknown',
      client_user_id: 'b-7',
    })
    expect(action).toContain('`/sandbox/identity_verification_template/create`')
  })

  test('of a webhook names the list', async () => {
    const [message] = await told('/sandbox/webhook/redeliver', { webhook_id: 'unknown' })
    expect(message).toContain('`/sandbox/webhook/list`')
  })
})

describe('a link token', () => {
  const user = '`user` must be an object with `client_user_id`, unless you send `user_id`'
  const products =
    '`products` must name at least one product, unless you send `access_token` for the update flow'

  test('lacks everything that is told at once', async () => {
    const [message] = await told('/link/token/create', {})
    expect(message).toMatch(
      /^missing fields: `client_name`, `language` \(one of: .*`country_codes`/,
    )
    expect(message).toContain(`; ${user}; ${products}`)
  })

  test.each([
    [{ user: null }, user],
    [{ products: [] }, products],
    [{ products: null, access_token: null }, products],
  ])('lacks one of two fields: %j', async (changes, message) => {
    expect((await told('/link/token/create', { ...link, ...changes }))[0]).toBe(message)
  })
})

describe('an operation', () => {
  test('on an Item whose user must log in names the link token', async () => {
    const token = await makeItem(['transactions'])
    await client.control('sandboxItemResetLogin', { access_token: token })
    const [message, action] = await told('/transactions/sync', { access_token: token })
    expect(message).toContain('(`/link/token/create` with its `access_token`)')
    expect(action).toContain('`/link/token/create`')
  })

  test.each([
    ['/identity/refresh', 'transactions', '/identity/get'],
    ['/transactions/refresh', 'identity', '/transactions/sync'],
  ] as const)('%s names what reads its product', async (path, product, reading) => {
    expect(await told(path, { access_token: await makeItem([product]) })).toEqual([
      `the product has not been added to this Item; read it once with \`${reading}\`, then refresh`,
      `Call \`${reading}\` once for the Item, then refresh.`,
    ])
  })

  test('names the events that can follow a status', async () => {
    const { data } = await client.api.accountsGet({ access_token })
    const { transfer } = await client.control('sandboxTransferCreate', {
      access_token,
      account_id: data!.accounts[0]!.account_id,
      type: 'debit',
      network: 'ach',
      ach_class: 'web',
      amount: '10.00',
      description: 'rent',
      user: { legal_name: 'Ada Quill' },
    })
    const move = { transfer_id: transfer.id, event_type: 'settled' }
    expect((await told('/sandbox/transfer/simulate', move))[0]).toBe(
      '`event_type` must be one of: posted, failed, cancelled, where the status is pending',
    )
    await client.control('sandboxTransferSimulate', { ...move, event_type: 'cancelled' })
    expect((await told('/sandbox/transfer/simulate', move))[0]).toBe(
      '`event_type` must be left alone: no event follows `cancelled`',
    )
  })
})
