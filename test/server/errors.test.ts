import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { errorCatalogue } from '../../generated/errors.ts'
import { readCatalogue, readSandboxCatalogue } from '../../scripts/contract.ts'
import { replayOf, sendReplay, withoutPlace } from '../support/replay.ts'
import { type Body, startWorld, type Tenant, type TestService } from '../support/service.ts'

// Every error of the catalogue that any request can reach is reached, and gives the very body that
// the contract shows for it.

const catalogue = { ...readCatalogue(), ...readSandboxCatalogue() }
const reachable = Object.entries(catalogue).filter(([, entry]) => !entry['x-unreachable'])

let service: TestService & { client: Tenant }
beforeAll(async () => {
  service = await startWorld({ settings: { environment: 'sandbox', reportDelayMs: 30_000 } })
})
afterAll(() => service.close())

describe('the error catalogue', () => {
  test('has a request for every error that can be reached', () => {
    expect(reachable.flatMap(([key, entry]) => (replayOf(entry) ? [] : [key]))).toEqual([])
    expect(Object.keys(catalogue).sort()).toEqual(Object.keys(errorCatalogue).sort())
  })

  test.each(reachable)('%s is what its request gets', async (_key, entry) => {
    const { fetch, url } = service
    const replay = replayOf(entry)!
    const { status, body } = await sendReplay(replay, (path, init) =>
      fetch(new Request(url + path, { method: 'POST', ...init })),
    )
    // The next one starts from a fresh world again.
    if (replay.setup) await service.client.control('sandboxReset', {})
    expect(withoutItems(body)).toEqual(withoutItems(entry.value))
    expect(status).toBe(entry['x-status'])
  })
})

/** A body without what differs from Item to Item. */
function withoutItems(body: Body): Body {
  const { causes, ...rest } = withoutPlace(body)
  if (!Array.isArray(causes)) return rest
  return { ...rest, causes: causes.map((cause: Body) => ({ ...cause, item_id: 'any' })) }
}
