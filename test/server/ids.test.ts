import { expect, test } from 'vitest'
import { type IdKind, newId, nextSequence } from '../../src/server/kernel/ids.ts'

const rowKinds = ['uuid', 'wallet', 'protect_event', 'user'] as const
const make = (kind: IdKind) => newId(kind, 'sandbox')
/** Made a second apart at most, two begin alike; what is all chance does so once in a million. */
const beginning = (id: string) =>
  id.replace(/^(wallet-id-sandbox-|protect-event-|usr_)/, '').slice(0, 4)

test.each(rowKinds)('of %s those made together begin alike, and none is another', (kind) => {
  const ids = Array.from({ length: 1000 }, () => make(kind))
  expect(new Set(ids.map(beginning)).size).toBeLessThan(3)
  expect(new Set(ids).size).toBe(1000)
})

test('a UUID says by its version whether a time is in it', () => {
  expect(make('uuid')).toMatch(
    /^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/,
  )
  expect(make('access_token')).toMatch(/-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/)
})

test.each(rowKinds)('of %s what comes from a seed has no time in it', (kind) => {
  const seeded = () => newId(kind, 'sandbox', (count) => new Uint8Array(count).fill(5))
  expect(seeded()).toBe(seeded())
  expect(beginning(seeded())).not.toBe(beginning(make(kind)))
})

test('places count on, whatever the clock says', () => {
  const now = Date.now()
  const clocks = [now, now, now, now + 5, now - 3_600_000, 0, now + 6, now + 6]
  const places = clocks.map(nextSequence)
  expect(places).toEqual([...new Set(places)].sort((one, other) => one - other))
  expect(Math.floor((places[3] ?? 0) / 1000)).toBe(now + 5)
  expect(places.every(Number.isSafeInteger)).toBe(true)
})
