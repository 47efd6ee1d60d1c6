import { expect, test } from 'vitest'
import { redact } from '../../src/server/kernel/redact.ts'
import { report } from './support/report.ts'
import { atScale } from './support/scale.ts'

const timeout = 600_000

/** Parts of what the patterns look for. Repeated, alone or in pairs, they make a pattern try and fail. */
const parts = [
  ...['a-', 'a.', 'a_', 'é', ' ', '\t', '"', "'", ':', '=', '_', '!', '@', '?', '+'],
  ...['eyJ-', 'eyJa.', '-eyJ', 'sva-', 'svr-a', 'Bearer ', 'Basic', 'http://', 'a://', 'x:'],
  ...['token', 'token ', 'key=', 'token="', "token='", 'secret: ', 'k-token', 'access-sandbox-'],
  ...['f', '0', '1234 ', '1234-', 'AB12', 'A1B2 ', '123-45-', '00000000-0000-'],
]
const ends = ['', '!', '@', ':', '"']

const fill = (unit: string, length: number): string =>
  unit.repeat(Math.ceil(length / unit.length)).slice(0, length)

/** The shortest of a few runs: another process may have had the processor in the others. */
function timeOf(text: string, runs = 3): number {
  let best = Number.POSITIVE_INFINITY
  for (let run = 0; run < runs; run += 1) {
    const begun = performance.now()
    redact(text)
    best = Math.min(best, performance.now() - begun)
  }
  return best
}

const length = atScale({ quick: 30_000, normal: 60_000, long: 120_000 })
/** A quadratic pattern would take 64 times as long for a text of 8 times the length. */
const factor = 8
const bound = 24
/** Below this a measurement says nothing about the pattern. */
const noiseMs = 2

function* texts(): Generator<{ unit: string; end: string }> {
  for (const first of parts) {
    for (const second of ['', ...parts]) {
      for (const end of ends) yield { unit: first + second, end }
    }
  }
}

test('the time to redact a text grows with its length, not with its square', { timeout }, () => {
  const slow: string[] = []
  const figures = { texts: 0, characters: length, worst_ms: 0 }
  for (const { unit, end } of texts()) {
    figures.texts += 1
    const long = fill(unit, length) + end
    if (timeOf(long, 1) < noiseMs) continue
    const ms = timeOf(long)
    figures.worst_ms = Math.max(figures.worst_ms, Math.round(ms * 10) / 10)
    const short = timeOf(fill(unit, length / factor) + end, 5)
    if (ms > noiseMs && ms / short > bound) slow.push(unit + end)
    // A broken pattern takes seconds for each of the other texts.
    if (slow.length === 3) break
  }
  report('text for the log is redacted in linear time', figures)
  expect(slow).toEqual([])
})
