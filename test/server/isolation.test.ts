import { afterAll, beforeAll, expect, test } from 'vitest'
import { eachExample, eachOperation, readBundle, written } from '../../scripts/contract/contract.ts'
import { type Body, startWorld, type Tenant, type TestService } from '../support/service.ts'

// What belongs to one client is answered to another exactly as what does not exist.

let service: TestService & { client: Tenant }
let stranger: Tenant
beforeAll(async () => {
  service = await startWorld()
  stranger = await service.tenant()
})
afterAll(() => service.close())

/** The fields of requests that name something that belongs to a client. */
const names =
  /^(access_tokens?|account_ids?|account_ids_to_exclude|asset_report_token|user_token|wallet_id|transfer_id|authorization_id|refund_id|bank_transfer_id|identity_verification_id|webhook_id|transaction_ids?|key_id|public_token|cursor|user_id)$/

/** The same value with its last letters changed: one that was never issued. */
function toUnknown(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(toUnknown)
  if (typeof value !== 'string' || value === '') return value
  const last = value.slice(-2)
  return value.slice(0, -2) + (last === '77' ? '88' : '77')
}

/** The body with every such value unknown, or undefined when it has none. */
function withUnknown(body: unknown): unknown {
  if (typeof body !== 'object' || body === null) return body
  if (Array.isArray(body)) return body.map(withUnknown)
  const entries = Object.entries(body).map(([name, value]) => [
    name,
    names.test(name) ? toUnknown(value) : withUnknown(value),
  ])
  return Object.fromEntries(entries)
}

const requests = written
  .map((name) => readBundle(name))
  .flatMap((contract) => {
    const paths = new Map(
      eachOperation(contract).map(({ path, operation }) => [operation.operationId, path]),
    )
    return eachExample(contract).flatMap(({ place, mediaType, name, value, operationId = '' }) => {
      const body = value as Body
      const other = withUnknown(body) as Body
      const isRequest = place.endsWith(' request') && mediaType === 'application/json'
      const isNamed = JSON.stringify(body) !== JSON.stringify(other)
      return isRequest && isNamed ? [{ name, path: paths.get(operationId) ?? '', body, other }] : []
    })
  })

const withoutId = ({ request_id: _, ...body }: Body): Body => body

test.each(requests)('$name tells a stranger nothing', async ({ path, body, other }) => {
  const foreign = await stranger.post(path, body)
  const unknown = await stranger.post(path, other)
  expect([foreign.status, withoutId(foreign.body)]).toEqual([
    unknown.status,
    withoutId(unknown.body),
  ])
})

test('the requests cover most operations and sandbox endpoints', () => {
  expect(new Set(requests.map(({ path }) => path)).size).toBeGreaterThan(35)
})
