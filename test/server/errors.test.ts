import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { errorCatalogue } from '../../generated/errors.ts'
import { readWholeCatalogue } from '../../scripts/contract/catalogue.ts'
import { replayOf } from '../../src/conform/replay.ts'
import { sendReplay, withoutPlace } from '../support/replay.ts'
import { type Body, startWorld, type TestService } from '../support/service.ts'

// Every error of the catalogue that any request can reach is reached, and gives the very body that
// the contract shows for it.

const catalogue = readWholeCatalogue()
const reachable = Object.entries(catalogue).filter(([, entry]) => !entry['x-unreachable'])

const start = () => startWorld({ settings: { environment: 'sandbox', reportDelayMs: 30_000 } })

let untouched: TestService
beforeAll(async () => {
  untouched = await start()
})
afterAll(() => untouched.close())

describe('the error catalogue', () => {
  test('has a request for every error that can be reached', () => {
    expect(reachable.flatMap(([key, entry]) => (replayOf(entry) ? [] : [key]))).toEqual([])
    expect(Object.keys(catalogue).sort()).toEqual(Object.keys(errorCatalogue).sort())
  })

  test('names an operation of the sandbox only in words that fit production, too', () => {
    const advice = Object.values(errorCatalogue).flatMap((entry) => [
      entry.action,
      entry.suggestedAction ?? '',
    ])
    const ofSandbox = advice.filter((text) => text.includes('/sandbox/'))
    expect(ofSandbox.filter((text) => !/in the sandbox/i.test(text))).toEqual([])
  })

  test.each(reachable)('%s is what its request gets', async (_key, entry) => {
    const replay = replayOf(entry)!
    // What is set up for one must not be there for the next.
    const { fetch, url, close } = replay.setup ? await start() : untouched
    const { status, body } = await sendReplay(replay, (path, init) =>
      fetch(new Request(url + path, { method: 'POST', ...init })),
    )
    if (replay.setup) await close()
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
