import { expect, test } from 'vitest'
import type { IdKind } from '../../src/server/kernel/ids.ts'
import { entropyOf, repeatsAmong, worstBias } from './support/entropy.ts'
import { report } from './support/report.ts'
import { atScale } from './support/scale.ts'

test('tokens and secrets have more chance in them than anybody can try', () => {
  const kinds: IdKind[] = [
    'oauth_access_token',
    'oauth_refresh_token',
    'access_token',
    'public_token',
    'user_token',
    'asset_report_token',
    'secret',
    'share_key',
  ]
  const count = atScale({ quick: 20_000, normal: 200_000, long: 1_000_000 })
  const bits = Object.fromEntries(kinds.map((kind) => [`${kind}_bits`, entropyOf(kind)]))
  const repeats = kinds.reduce((sum, kind) => sum + repeatsAmong(kind, count / kinds.length), 0)
  const bias = Math.max(...kinds.map((kind) => worstBias(kind, count / kinds.length)))
  report('tokens and secrets: bits of chance', {
    ...bits,
    made: count,
    repeats,
    worst_bias_sigma: Number(bias.toFixed(1)),
  })
  expect(Math.min(...Object.values(bits))).toBeGreaterThanOrEqual(122)
  expect(repeats).toBe(0)
  expect(bias).toBeLessThan(7)
})
