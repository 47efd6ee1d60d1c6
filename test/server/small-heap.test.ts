import { execFileSync } from 'node:child_process'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { root } from '../../scripts/contract/contract.ts'

/** Work that lasts, and of which a little survives each collection; it returns the most MB of the young generation. */
const script = `
import { setImmediate } from 'node:timers/promises'
import { getHeapSpaceStatistics } from 'node:v8'
import { withSmallHeap } from ${JSON.stringify(join(root, 'src/server/boot/small-heap.ts'))}
const kept = []
const readYoung = () =>
  getHeapSpaceStatistics().find(({ space_name }) => space_name === 'new_space').space_size
const work = async () => {
  let most = 0
  for (let count = 0; count < 4_000_000; count += 1) {
    kept.push({ count })
    if (kept.length > 200_000) kept.length = 0
    if (count % 5000 !== 0) continue
    await setImmediate()
    most = Math.max(most, readYoung())
  }
  return Math.round(most / 1_000_000)
}
console.log(JSON.stringify([await withSmallHeap(work), await work()]))
`

test('the young generation stays small during an import, and grows as usual after it', () => {
  const args = ['--input-type=module', '--eval', script]
  const printed = execFileSync(process.execPath, args, { encoding: 'utf8' })
  const [small, usual] = JSON.parse(printed) as [number, number]
  expect(small).toBeLessThanOrEqual(34)
  expect(usual).toBeGreaterThan(34)
})
