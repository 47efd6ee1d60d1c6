import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { operations, validators } from '#contract/operations.ts'
import {
  operations as undatedOperations,
  validators as undatedValidators,
} from '../../generated/undated.ts'
import {
  type Contract,
  eachExample,
  eachOperation,
  readBundle,
  requestSchema,
  type Schema,
  written,
} from '../../scripts/contract/contract.ts'
import { codeOf } from '../../src/contract/code-of.ts'
import { handlers, platformHandlers, sandboxHandlers } from '../../src/server/boot/handlers.ts'
import type { Validator } from '../../src/validators/validate.ts'
import { type Mutator, mutator } from '../support/mutations.ts'
import { type Body, startService, type Tenant, type TestService } from '../support/service.ts'

// What holds for every operation and sandbox endpoint, read from the table: no test names one.

interface Subject {
  id: string
  path: string
  oauth: boolean
  maximumBody: number
  mutate: Mutator['mutate']
  schema: Schema
  request: Body
  load(): Promise<{ request: Validator<unknown> }>
}

function subjectsOf(contract: Contract): Subject[] {
  const examples = eachExample(contract)
  const { mutate } = mutator(contract)
  return eachOperation(contract).map(({ path, operation }) => {
    const id = operation.operationId
    const { value } = examples.find(({ place }) => place === `${id} request`) ?? {}
    const all = { ...operations, ...undatedOperations }
    return {
      id,
      path,
      oauth: all[id as keyof typeof all].oauth,
      maximumBody: all[id as keyof typeof all].maximumBody,
      mutate,
      schema: requestSchema(operation),
      request: value as Body,
      load: { ...validators, ...undatedValidators }[id as keyof typeof all],
    }
  })
}

const subjects = written.flatMap((name) => subjectsOf(readBundle(name)))

let service: TestService
let tenant: Tenant
beforeAll(async () => {
  service = await startService()
  tenant = await service.tenant()
})
afterAll(() => service.close())

/** A bare request, without the credentials that a tenant adds. */
async function send(path: string, init: RequestInit) {
  const response = await service.fetch(new Request(service.url + path, { method: 'POST', ...init }))
  const text = await response.text()
  return { status: response.status, headers: response.headers, body: JSON.parse(text) as Body }
}

const json = { 'Content-Type': 'application/json' }
const withoutCredentials = ({ client_id, secret, client_secret, ...rest }: Body): Body => rest
const codeIn = (body: Body) => body['error_code'] ?? body['error']

/** What is no object is rejected before its fields; credentials are held against the headers' too. */
const isJudgedByFields = (body: unknown): boolean =>
  typeof body === 'object' &&
  body !== null &&
  !Array.isArray(body) &&
  !['client_id', 'secret', 'client_secret', 'public_key'].some((name) => name in body)

test('a handler says of its work what the pipeline knows, and nothing else', () => {
  const said = Object.values({ ...handlers, ...platformHandlers, ...sandboxHandlers }).flatMap(
    Object.keys,
  )
  expect(new Set(said)).toEqual(new Set(['reads', 'single', 'usuallySingle', 'waits']))
})

describe.each(subjects)('$id', (subject) => {
  const { path, oauth, maximumBody, mutate, schema, request, load } = subject
  const body = JSON.stringify(withoutCredentials(request))
  const authenticated = () => ({
    ...json,
    'SERVICE-CLIENT-ID': tenant.clientId,
    'SERVICE-SECRET': tenant.secret,
  })

  test('rejects without credentials', async () => {
    const rejected = await send(path, { headers: json, body })
    const expected = oauth ? [401, 'invalid_client'] : [400, 'MISSING_FIELDS']
    expect([rejected.status, codeIn(rejected.body)]).toEqual(expected)
  })

  test('rejects a wrong secret, and one of another client', async () => {
    const other = await service.tenant()
    for (const secret of ['wrong', other.secret]) {
      const headers = { ...authenticated(), 'SERVICE-SECRET': secret }
      const rejected = await send(path, { headers, body })
      const expected = oauth ? [401, 'invalid_client'] : [400, 'INVALID_API_KEYS']
      expect([rejected.status, codeIn(rejected.body)]).toEqual(expected)
    }
  })

  test.each(['', '{"a":', '[]', '"text"', 'null', '{}}'])(
    'rejects the body %j',
    async (malformed) => {
      const rejected = await send(path, { headers: authenticated(), body: malformed })
      expect([rejected.status, codeIn(rejected.body)]).toEqual([
        400,
        oauth ? 'invalid_request' : 'INVALID_BODY',
      ])
    },
  )

  test('rejects a body of more bytes than it lists from every client', async () => {
    const body = ' '.repeat(maximumBody)
    const most = await send(path, { headers: authenticated(), body })
    expect([most.status, codeIn(most.body)]).toEqual([
      400,
      oauth ? 'invalid_request' : 'INVALID_BODY',
    ])
    for (const sender of [authenticated(), json]) {
      const rejected = await send(path, { headers: sender, body: `${body} ` })
      expect([rejected.status, rejected.body['error_code']]).toEqual([413, 'INVALID_BODY'])
      expect(rejected.body['error_message']).toMatch(/^the body must be at most \d+ [KM]iB$/)
    }
  })

  test('rejects another content type, and a header that names none', async () => {
    const headers = { ...authenticated(), 'Content-Type': 'text/plain' }
    const rejected = await send(path, { headers, body })
    expect(codeIn(rejected.body)).toBe(oauth ? 'invalid_request' : 'INVALID_BODY')
    const { 'Content-Type': _, ...none } = authenticated()
    const bytes = new TextEncoder().encode(body)
    const bare = await send(path, { headers: none, body: bytes })
    expect(codeIn(bare.body)).toBe(oauth ? 'invalid_request' : 'INVALID_HEADERS')
  })

  test('rejects an unknown version', async () => {
    const headers = { ...authenticated(), 'Service-Version': '2017-03-08' }
    const rejected = await send(path, { headers, body })
    expect(codeIn(rejected.body)).toBe(oauth ? 'invalid_request' : 'INVALID_HEADERS')
  })

  test('exists for POST only', async () => {
    for (const method of ['GET', 'PUT', 'DELETE']) {
      const answer = await service.fetch(new Request(service.url + path, { method }))
      expect([answer.status, answer.headers.get('allow')]).toEqual([405, 'POST'])
      expect(await answer.json()).toMatchObject({
        error_code: 'METHOD_NOT_ALLOWED',
        error_message: `\`${path}\` takes POST, not ${method}`,
      })
    }
  })

  test('rejects each spoilt request with the code of the validator', async () => {
    const { request: validator } = await load()
    const spoilt = mutate(schema, withoutCredentials(request))
      .map(({ value }) => value)
      .filter(isJudgedByFields)
      .flatMap((value) => {
        const code = codeOf(validator.issues(value), oauth)
        return code === undefined ? [] : [{ value, code }]
      })
    const differing: string[] = []
    for (const { value, code } of spoilt) {
      const answer = await tenant.post(path, value)
      if (codeIn(answer.body) === code && answer.status === 400) continue
      differing.push(`${JSON.stringify(value)}: ${JSON.stringify(answer.body)}, not ${code}`)
    }
    expect(differing).toEqual([])
    expect(spoilt.length + Object.keys(request).length).toBeGreaterThan(0)
  })
})
