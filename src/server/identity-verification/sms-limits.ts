import { countInWindow } from '../clients/rate-window-store.ts'
import type { Context } from '../kernel/context.ts'

const hourMs = 3_600_000
/** Messages of a client in an hour to one number, and by one address: several people can share one. */
const mostOfNumber = 5
const mostOfAddress = 20

/**
 * Whether another message may be sent, which is then counted. The counts are rows, so all processes
 * share them. The sandbox sends no message, so that its tests may share a number.
 */
export async function admitMessage(
  ctx: Context,
  { phone_number, peer }: { phone_number: string; peer: string | undefined },
): Promise<boolean> {
  if (ctx.settings.environment === 'sandbox') return true
  const { db, client, keys } = ctx
  const now = ctx.realMs()
  const window = { clientId: client.client_id, windowStart: now - (now % hourMs) }
  const count = (subject: string) => countInWindow(db, { ...window, subject })
  const toNumber = await count(`sms to ${keys.hash(phone_number)}`)
  if (toNumber > mostOfNumber) return false
  return (await count(`sms by ${keys.hash(peer ?? '')}`)) <= mostOfAddress
}
