import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { eachWebhook, readBundle, root, versions } from '../../scripts/contract/contract.ts'
import { eachField, shapeOf } from '../../scripts/docs/fields.ts'
import { wellKnownPublicKey } from '../../src/server/clients/well-known-clients.ts'
import { type RunningMock, startMock } from '../support/mock.ts'

describe('the files of versions', () => {
  test('are one for each older version', () => {
    const files = readdirSync(join(root, 'src/server/versions'))
    const dates = files.filter((file) => /^\d{4}-/.test(file)).map((file) => file.slice(0, 10))
    expect(dates.sort()).toEqual(versions.slice(0, -1))
  })

  test('are no longer than the differences that take a function', async () => {
    for (const version of versions.slice(0, -1)) {
      const { file } = await import(`../../src/server/versions/${version}.ts`)
      const { byHand } = file.differences
      expect(Object.keys(file.requests)).toEqual(Object.keys(byHand.requests))
      expect(Object.keys(file.responses)).toEqual(Object.keys(byHand.responses))
    }
  })

  test('are those that the contract lets a request name', () => {
    const { parameters } = readBundle().components
    const header = parameters!['ServiceVersion'] as { schema: { enum: string[] } }
    expect(header.schema.enum).toEqual(versions)
  })

  test('say nothing of webhooks, which are the same in all of them', () => {
    const [expected, ...others] = versions.toReversed().map((version) => {
      const contract = readBundle(version)
      return eachWebhook(contract).map(({ name, schema }) => [
        name,
        eachField(shapeOf(contract, schema, 'body')).map(({ path }) => path),
      ])
    })
    expect(expected!.length).toBeGreaterThan(5)
    for (const webhooks of others) expect(webhooks).toEqual(expected)
  })
})

describe('the mock', () => {
  let mock: RunningMock
  beforeAll(async () => {
    mock = await startMock()
  })
  afterAll(() => mock.close())

  test.each([
    ['2018-05-22', 200, undefined],
    ['2019-05-29', 200, undefined],
    ['2020-09-14', 400, 'INCOMPATIBLE_API_VERSION'],
    ['2017-03-08', 400, 'INVALID_HEADERS'],
  ] as [string, number, string | undefined][])(
    'takes a public key in %s, or says that it does not',
    async (version, status, code) => {
      const { response, body } = await mock.post('/institutions/search', {
        headers: { 'Content-Type': 'application/json', 'Service-Version': version },
        body: JSON.stringify({ public_key: wellKnownPublicKey, query: 'bank' }),
      })
      expect([response.status, body['error_code']]).toEqual([status, code])
    },
  )
})
