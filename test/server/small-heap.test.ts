import { execFileSync } from 'node:child_process'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { root } from '../../scripts/contract/contract.ts'
import { heapLimitsFor } from '../../src/server/boot/small-heap.ts'

/**
 * Work that lasts, and of which a little survives each collection; prints the most MB of the young
 * generation. How soon that grows depends on the moments of collections, so the work goes on for
 * up to ten times as long where it is to grow.
 */
const work = `
import { setTimeout as sleep } from 'node:timers/promises'
import { getHeapSpaceStatistics } from 'node:v8'
const kept = []
const readYoung = () =>
  getHeapSpaceStatistics().find(({ space_name }) => space_name === 'new_space').space_size
const [, wanted] = process.argv
let most = 0
for (let count = 0; count < (most < wanted ? 40_000_000 : 4_000_000); count += 1) {
  kept.push({ count })
  if (kept.length > 200_000) kept.length = 0
  if (count % 50_000 !== 0) continue
  await sleep(5)
  most = Math.max(most, Math.round(readYoung() / 1_000_000))
}
console.log(most)
`
const kept = `
import { keepHeapSmall } from ${JSON.stringify(join(root, 'src/server/boot/small-heap.ts'))}
keepHeapSmall()
${work}
`

function mostYoung(script: string, wanted = 0): number {
  const args = ['--input-type=module', '--eval', script, String(wanted)]
  return Number(execFileSync(process.execPath, args, { encoding: 'utf8' }))
}

test('the young generation of a program stays small, and would not by itself', () => {
  expect(mostYoung(kept)).toBeLessThanOrEqual(68)
  const grown = 90
  expect(mostYoung(work, grown)).toBeGreaterThanOrEqual(grown)
})

test('a small machine or container gets less of it', () => {
  const [small, large] = [heapLimitsFor(256 * 2 ** 20), heapLimitsFor(24 * 2 ** 30)]
  expect(small.mostYoung).toBeLessThan(large.mostYoung)
  expect(small.growth).toBeLessThan(large.growth)
})
