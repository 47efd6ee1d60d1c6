import { codeIn } from './judge.ts'
import { liveItem, must, quiet } from './laws-tools.ts'
import type { Luck } from './references.ts'
import type { Session } from './session.ts'
import type { Body, Subject } from './subjects.ts'

// While an institution is down, what was read of it before stays readable.
const codes = ['ITEM_LOGIN_REQUIRED', 'ITEM_LOCKED', 'ACCESS_NOT_GRANTED']
const products = ['transactions', 'identity', 'liabilities']

/** Every operation that lists the error and is asked for one Item. */
const sensitive = ({ subjects }: Session, code: string): Subject[] =>
  [...subjects.values()].filter(
    (one) =>
      !one.isSandboxOperation && !one.oauth && Object.values(one.errors).flat().includes(code),
  )

/** Dates for those that want some; the others would reject them. */
const bodyFor = ({ id }: Subject, access_token: string): Body =>
  id === 'transactionsGet'
    ? { access_token, start_date: '2026-03-01', end_date: '2026-03-16' }
    : { access_token }

/** An Item fails where it is ill, by the same error everywhere, and nowhere else. */
export async function healthHolds(session: Session, who: number, luck: Luck): Promise<void> {
  await quiet(session, who)
  const access_token = liveItem(session, who)
  if (access_token === undefined) return
  const error_code = codes[luck(codes.length)] as string
  const product = [...products, undefined][luck(products.length + 1)]
  const set = (health: Body) =>
    session.ask('sandboxItemSetHealth', who, { access_token, ...health })
  const ask = async (subject: Subject) =>
    codeIn((await session.ask(subject.id, who, bodyFor(subject, access_token))).json)
  const asked = sensitive(session, error_code)
  await set({ error_code: null })
  const usual = new Map<Subject, string | undefined>()
  for (const subject of asked) usual.set(subject, await ask(subject))
  const ill = await set({ error_code, ...(product ? { products: [product] } : {}) })
  must(session, ill.status === 200, `health: it cannot be set: ${codeIn(ill.json)}`)
  for (const subject of asked) {
    // An operation that rejects a healthy Item may do so before it checks the state of the Item.
    if (usual.get(subject) !== undefined) continue
    const isIll = product === undefined || subject.id.startsWith(product)
    const code = await ask(subject)
    must(
      session,
      code === (isIll ? error_code : undefined),
      `health: ${subject.id} says ${code} of an Item with ${error_code} for ${product ?? 'all'}`,
    )
  }
  await set({ error_code: null })
}
