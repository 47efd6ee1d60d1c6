import { execFileSync } from 'node:child_process'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { root } from '../../scripts/contract/contract.ts'

/** Work that lasts, and of which a little survives each collection; prints the most MB of the young generation. */
const work = `
import { setTimeout as sleep } from 'node:timers/promises'
import { getHeapSpaceStatistics } from 'node:v8'
const kept = []
const readYoung = () =>
  getHeapSpaceStatistics().find(({ space_name }) => space_name === 'new_space').space_size
let most = 0
for (let count = 0; count < 4_000_000; count += 1) {
  kept.push({ count })
  if (kept.length > 200_000) kept.length = 0
  if (count % 50_000 !== 0) continue
  await sleep(5)
  most = Math.max(most, readYoung())
}
console.log(Math.round(most / 1_000_000))
`
const kept = `
import { keepHeapSmall } from ${JSON.stringify(join(root, 'src/server/boot/small-heap.ts'))}
keepHeapSmall()
${work}
`

function mostYoung(script: string): number {
  const args = ['--input-type=module', '--eval', script]
  return Number(execFileSync(process.execPath, args, { encoding: 'utf8' }))
}

test('the young generation of a program stays small, and would not by itself', () => {
  expect(mostYoung(kept)).toBeLessThanOrEqual(34)
  expect(mostYoung(work)).toBeGreaterThan(60)
})
