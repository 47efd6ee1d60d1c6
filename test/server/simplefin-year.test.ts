import { expect, test } from 'vitest'
import { isUsualRun } from '../sets.ts'
import { engine } from '../support/engine.ts'
import { liveThrough } from '../support/simplefin-year.ts'

// A bank goes through a year in which much goes wrong, and two processes read it and are killed.

const days = isUsualRun ? 40 : engine === 'postgres' ? 180 : 365
/** The seeds to try, such as `1-60` or `302`: a failed run names its seed. */
const seeds = listSeeds(process.env['YEAR_SEEDS'] ?? '1')

function listSeeds(text: string): number[] {
  const [first = 1, last = first] = text.split('-').map(Number)
  return Array.from({ length: last - first + 1 }, (_, index) => first + index)
}

test.each(seeds)('seed %i: no row is lost or doubled', { timeout: 300_000 }, async (seed) => {
  const year = await liveThrough({ seed, days })
  const { lost, doubled, twins, changedByFailure, mostCalls, balances, ...figures } = year
  const counts = { lost: lost.length, doubled: doubled.length, mostCalls }
  console.log(JSON.stringify({ seed, days, ...figures, ...counts }))
  expect({ lost, doubled, twins, changedByFailure }).toEqual({
    lost: [],
    doubled: [],
    twins: 0,
    changedByFailure: 0,
  })
  expect(mostCalls).toBeLessThanOrEqual(24)
  expect(balances.shown).toEqual(balances.told)
})

test('a seed repeats a run', async () => {
  const [one, other, ofAnother] = [
    await liveThrough({ seed: 7, days: 20 }),
    await liveThrough({ seed: 7, days: 20 }),
    await liveThrough({ seed: 8, days: 20 }),
  ]
  expect(other.digest).toBe(one.digest)
  expect(ofAnother.digest).not.toBe(one.digest)
})
