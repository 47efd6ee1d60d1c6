import { expect, onTestFinished, test } from 'vitest'
import { exampleRequests } from '../../scripts/docs/example-requests.ts'
import { readSite } from '../../scripts/docs/site.ts'
import { sendExample } from '../../src/docs/console/fresh-values.ts'
import { startLive } from './live-service.ts'

const requests = exampleRequests(readSite())
const paths = Object.keys(requests.operations)

/** The same order for the same seed. */
function shuffled(seed: number): string[] {
  let state = seed
  const next = () => {
    state = (state * 1_103_515_245 + 12_345) % 2_147_483_648
    return state
  }
  return paths
    .map((path) => ({ path, place: next() }))
    .sort((one, other) => one.place - other.place)
    .map(({ path }) => path)
}

/** Sends the prefilled body of every operation in turn; those that fail, with their error. */
async function failures(order: string[]): Promise<unknown[]> {
  const { call, close } = await startLive()
  onTestFinished(close)
  const failed: unknown[] = []
  for (const path of order) {
    const { body } = requests.operations[path]!
    const { answer } = await sendExample(requests, call, path, JSON.stringify(body, null, 2))
    if (!answer.ok) failed.push([path, answer.body])
  }
  return failed
}

test('every prefilled request succeeds in the order of the docs', async () => {
  expect(await failures(paths)).toEqual([])
}, 60_000)

test.each([1, 2, 3])(
  'every prefilled request succeeds in any order: %i',
  async (seed) => {
    expect(await failures(shuffled(seed))).toEqual([])
  },
  60_000,
)
