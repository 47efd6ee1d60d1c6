import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { versions } from '../../scripts/contract/contract.ts'
import { readyAccessToken } from '../../src/server/clients/well-known-clients.ts'
import { startWorld, type Tenant, type TestService } from '../support/service.ts'

// The faulty fields of a request, as a list beside the message.

let world: TestService
let client: Tenant
beforeAll(async () => {
  const started = await startWorld()
  world = started
  client = started.client
})
afterAll(() => world.close())

const access_token = readyAccessToken

async function fieldsOf(path: string, sent: object, headers: Record<string, string> = {}) {
  const { status, body } = await client.post(path, sent, headers)
  expect(status).toBe(400)
  return body['fields']
}

describe('the faulty fields', () => {
  test('are all listed, with their places, and no value', async () => {
    const sent = { access_token: 7, options: { count: 'secret-value', x: 1 }, start_date: null }
    const fields = await fieldsOf('/transactions/get', sent)
    const expected = [
      { field: 'options.x', message: expect.stringMatching(/^is not a field/) },
      { field: 'end_date', message: 'is required' },
      { field: 'start_date', message: 'must not be null' },
      { field: 'options.count', message: 'must be an integer' },
      { field: 'access_token', message: expect.stringMatching(/^must be a string/) },
    ]
    expect(fields).toHaveLength(expected.length)
    expect(fields).toEqual(expect.arrayContaining(expected))
    expect(JSON.stringify(fields)).not.toContain('secret-value')
  })

  test('are at most 20', async () => {
    const unknown = Object.fromEntries(Array.from({ length: 30 }, (_, at) => [`x${at}`, at]))
    expect(await fieldsOf('/accounts/get', { access_token, ...unknown })).toHaveLength(20)
  })

  test('name the account id that is unknown by its position', async () => {
    const { data } = await client.api.accountsGet({ access_token })
    const account_ids = [data!.accounts[0]!.account_id, 'unknown-id']
    expect(await fieldsOf('/accounts/get', { access_token, options: { account_ids } })).toEqual([
      { field: 'options.account_ids[1]', message: 'does not belong to the Item' },
    ])
    expect(
      await fieldsOf('/transactions/sync', { access_token, options: { account_id: 'unknown-id' } }),
    ).toEqual([{ field: 'options.account_id', message: 'does not belong to the Item' }])
  })

  test('are those of a rule beyond the schema, too', async () => {
    const sent = { access_token, start_date: '2026-03-02', end_date: '2026-03-01' }
    expect(await fieldsOf('/transactions/get', sent)).toEqual([
      { field: 'start_date', message: 'must not be after `end_date`' },
    ])
  })

  test('are absent where no single field is at fault', async () => {
    expect(await fieldsOf('/accounts/get', { access_token: 'access-sandbox-1' })).toBeUndefined()
  })

  test.each(versions.slice(0, -1))('are absent in version %s', async (version) => {
    const headers = { 'Service-Version': version }
    expect(await fieldsOf('/accounts/get', {}, headers)).toBeUndefined()
    const options = { account_ids: ['unknown-id'] }
    expect(await fieldsOf('/accounts/get', { access_token, options }, headers)).toBeUndefined()
  })
})
