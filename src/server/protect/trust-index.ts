import { createHash } from 'node:crypto'
import type { ProtectEventInput, ProtectTrustIndex } from '#contract/closed.ts'

const model = 'ti-pro-1.0'
const lowest = 1
const highest = 99

/** A score that is the same whenever the same is judged. */
function toScore(part: string, judged: string): number {
  const number = createHash('sha256').update(`${part}\n${judged}`).digest().readUInt32BE()
  return lowest + (number % (highest - lowest + 1))
}

/** The trust in a session, or in the event alone where it belongs to none; the device counts most. */
export function toTrustIndex(event: ProtectEventInput, session: string | null): ProtectTrustIndex {
  const judged = session ?? JSON.stringify(event)
  const device = toScore('device_and_connection', judged)
  const bank = toScore('bank_account_insights', judged)
  return {
    score: Math.round((2 * device + bank) / 3),
    model,
    subscores: {
      device_and_connection: { score: device },
      bank_account_insights: { score: bank },
    },
  }
}
