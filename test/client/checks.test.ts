import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { ContractError, contractChecks } from '../../src/client/checks.ts'
import { createClient } from '../../src/index.ts'
import { type RunningMock, startMock } from '../support/mock.ts'
import { recorder } from '../support/recorder.ts'

const accessToken = { access_token: 'access-sandbox-00000000-0000-4000-8000-000000000001' }

let mock: RunningMock
beforeAll(async () => {
  mock = await startMock()
})
afterAll(() => mock.close())

describe('checks', () => {
  test('reject a request before it is sent, without its values', async () => {
    const { requests, fetch } = recorder()
    const baseUrl = 'http://service.example'
    const client = createClient({ baseUrl, fetch, validate: contractChecks({ requests: true }) })
    const call = client.walletGet({ wallet_id: 5 as never })
    await expect(call).rejects.toBeInstanceOf(ContractError)
    await expect(call).rejects.toMatchObject({
      code: 'CONTRACT_VIOLATION',
      operationId: 'walletGet',
      issues: [{ path: 'wallet_id', code: 'INVALID_FIELD', message: 'must be a string' }],
    })
    expect(requests).toHaveLength(0)
  })

  test('reject an answer that lacks something', async () => {
    const { fetch } = recorder(Response.json({ wallets: [{}] }))
    const baseUrl = 'http://service.example'
    const client = createClient({ baseUrl, fetch, validate: contractChecks({ answers: true }) })
    await expect(client.walletList({})).rejects.toThrow('wallets[0].wallet_id is required')
  })

  test('let new fields and enum values pass', async () => {
    const { data } = await mock.client().walletGet({ wallet_id: 'wallet' })
    const { fetch } = recorder(Response.json({ ...data, status: 'FROZEN', colour: 'green' }))
    const baseUrl = 'http://service.example'
    const client = createClient({ baseUrl, fetch, validate: contractChecks({ answers: true }) })
    const result = await client.walletGet({ wallet_id: 'wallet' })
    expect(result.data).toMatchObject({ status: 'FROZEN', colour: 'green' })
  })

  test('hold an answer against the version that was asked for', async () => {
    const client = mock.client({ validate: contractChecks({ answers: true }) })
    const { data } = await client.at('2019-05-29').itemRemove(accessToken)
    expect(data?.removed).toBe(true)
  })
})
