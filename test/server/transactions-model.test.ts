import fc from 'fast-check'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { startService, type TestService } from '../support/service.ts'
import { start } from '../support/transactions-fixtures.ts'
import { newWorld, readPage, steps } from '../support/transactions-model.ts'

let service: TestService

beforeAll(async () => {
  service = await startService({ clock: () => Date.parse(start) })
})
afterAll(() => service.close())

test('the documented loop ends with exactly the true set, whatever changes while it reads', async () => {
  let mutations = 0
  await fc.assert(
    fc.asyncProperty(steps, async (list) => {
      const world = await newWorld(service)
      for (const step of list) await step(world)
      for (const follower of world.followers) {
        while (!(await readPage(world, follower, 3))) {
          // The next page.
        }
      }
      mutations += world.mutations
    }),
    { numRuns: 60 },
  )
  expect(mutations).toBeGreaterThan(0)
})
