import { appendFileSync } from 'node:fs'
import { expect } from 'vitest'

/** What was measured: counts, shares, and times with their unit in the name. */
export type Figures = Readonly<Record<string, number | string>>

/**
 * Keeps what the running test has measured. The runner prints it as a table, and writes it for the
 * docs. `claim` is the row: a short sentence that the figures show to be so.
 */
export function report(claim: string, figures: Figures): void {
  const { testPath = '' } = expect.getState()
  const topic = testPath.replace(/^.*\/|\.test\.ts$/g, '')
  const line = JSON.stringify({ topic, claim, figures })
  const file = process.env['TRUST_FIGURES']
  if (file) appendFileSync(file, `${line}\n`)
  else console.log(line)
}

let shown = 0

/** Tells how far a long test is, at most every few seconds. */
export function progress(text: string): void {
  const now = Date.now()
  if (now - shown < 5000) return
  shown = now
  process.stderr.write(`  ${text}\n`)
}

/**
 * Says in one line why something cannot be tried here, and returns whether it can. Where nothing may
 * be skipped (`REQUIRE_ALL=1`) it fails instead.
 */
export function canTry(possible: boolean, reason: string): boolean {
  if (possible) return true
  if (process.env['REQUIRE_ALL'] === '1')
    throw new Error(`not skipped, since REQUIRE_ALL is set: ${reason}`)
  console.log(`SKIPPED: ${reason}`)
  return false
}
