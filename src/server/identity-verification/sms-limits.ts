import type { Context } from '../kernel/context.ts'

const hourMs = 3_600_000
/** Messages in an hour to one number, and by one address: several people can share one. */
const mostOfNumber = 5
const mostOfAddress = 20
/** The oldest is forgotten first. */
const mostKnown = 10_000

/** When messages were sent, by number and by address. The counts are local to this process. */
type Sent = Map<string, number[]>

const createSent = (): Sent => new Map()

/**
 * Whether another message may be sent, which is then counted. The sandbox sends none, so that its
 * tests may share a number.
 */
export function admitMessage(
  ctx: Context,
  { phone_number, peer }: { phone_number: string; peer: string | undefined },
): boolean {
  if (ctx.settings.environment === 'sandbox') return true
  const sent = ctx.singleton(createSent)
  const now = ctx.realMs()
  const limits = [
    { key: `number ${ctx.keys.hash(phone_number)}`, most: mostOfNumber },
    { key: `address ${peer ?? ''}`, most: mostOfAddress },
  ]
  const recent = limits.map(({ key }) => (sent.get(key) ?? []).filter((at) => at > now - hourMs))
  if (limits.some(({ most }, index) => (recent[index]?.length ?? 0) >= most)) return false
  for (const [index, { key }] of limits.entries()) {
    sent.delete(key)
    sent.set(key, [...(recent[index] ?? []), now])
    if (sent.size > mostKnown) sent.delete(sent.keys().next().value as string)
  }
  return true
}
