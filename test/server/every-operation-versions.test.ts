import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Version, versions } from '../../generated/versions.ts'
import {
  currentVersion,
  eachExample,
  eachOperation,
  readBundle,
  requestSchema,
} from '../../scripts/contract/contract.ts'
import { codeOf } from '../../src/contract/code-of.ts'
import { mutator } from '../support/mutations.ts'
import { type Body, startService, type Tenant, type TestService } from '../support/service.ts'

// What holds for the requests of every operation in every older version, from its own contract.

let service: TestService
let tenant: Tenant
beforeAll(async () => {
  service = await startService()
  tenant = await service.tenant()
})
afterAll(() => service.close())

const codeIn = (body: Body) => body['error_code'] ?? body['error']

const credentials = ['client_id', 'secret', 'client_secret', 'public_key']
const withoutCredentials = (body: Body): Body =>
  Object.fromEntries(Object.entries(body).filter(([name]) => !credentials.includes(name)))

/** What is no object is rejected before its fields; credentials are held against the headers' too. */
const isJudgedByFields = (body: unknown): boolean =>
  typeof body === 'object' &&
  body !== null &&
  !Array.isArray(body) &&
  !credentials.some((name) => name in body)

const olderVersions = Object.keys(versions).filter((version) => version !== currentVersion)

describe.each(olderVersions as Version[])('%s', (version) => {
  const contract = readBundle(version)
  const examples = eachExample(contract)
  const { mutate } = mutator(contract)
  const headers = { 'Service-Version': version }

  test.each(eachOperation(contract))(
    'rejects each spoilt request of $path with the code of its validator',
    async ({ path, operation }) => {
      const { operations, validators } = await versions[version]()
      const operationId = operation.operationId as keyof typeof operations
      const { oauth } = operations[operationId]
      const { request } = await validators[operationId]()
      const { value } = examples.find(({ place }) => place === `${operationId} request`)!
      const spoilt = mutate(requestSchema(operation), withoutCredentials(value as Body))
        .map((mutation) => mutation.value)
        .filter(isJudgedByFields)
      const differing: string[] = []
      for (const body of spoilt) {
        const code = codeOf(request.issues(body), oauth)
        if (code === undefined) continue
        const answer = await tenant.post(path, body, headers)
        if (codeIn(answer.body) === code && answer.status === 400) continue
        differing.push(`${JSON.stringify(body)}: ${JSON.stringify(answer.body)}, not ${code}`)
      }
      expect(differing).toEqual([])
      expect(spoilt.length + Object.keys(value as Body).length).toBeGreaterThan(0)
    },
  )
})
