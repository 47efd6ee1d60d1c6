import { codeIn } from './judge.ts'
import { must, quiet } from './laws-tools.ts'
import { type Luck, neverGiven } from './references.ts'
import type { Session } from './session.ts'
import type { Body } from './subjects.ts'

/** A list that is read in pages, and the call that makes it longer by one. */
interface Growing {
  operationId: string
  /** The request of a list; its cursor comes beside. */
  body: Body
  held: string
  id: string
  newestFirst: boolean
  /** The most of a page. */
  most: number
  grow: readonly [operationId: string, body: Body]
}

const template_id = 'idvtmp_00000000000kyc'

const growing = (luck: Luck): Growing[] => [
  {
    operationId: 'walletList',
    body: { count: 1 + luck(3) },
    held: 'wallets',
    id: 'wallet_id',
    newestFirst: true,
    most: 3,
    grow: ['walletCreate', { iso_currency_code: 'EUR' }],
  },
  {
    operationId: 'dashboardUserList',
    body: {},
    held: 'dashboard_users',
    id: 'id',
    newestFirst: false,
    most: 20,
    grow: ['sandboxDashboardUserCreate', { email_address: 'someone@example.com' }],
  },
  {
    operationId: 'identityVerificationList',
    body: { template_id },
    held: 'identity_verifications',
    id: 'id',
    newestFirst: true,
    most: 20,
    grow: ['sandboxIdentityVerificationRetry', { client_user_id: 'often', template_id }],
  },
]

interface Pages {
  ids: string[]
  cursors: string[]
}

async function readPages(session: Session, who: number, list: Growing): Promise<Pages | undefined> {
  const pages: Pages = { ids: [], cursors: [] }
  for (let reads = 0; reads < 100; reads += 1) {
    const cursor = pages.cursors.at(-1)
    const body = cursor === undefined ? list.body : { ...list.body, cursor }
    const { status, json } = await session.ask(list.operationId, who, body)
    if (status !== 200) return undefined
    const answer = json as Body
    const held = answer[list.held] as Record<string, string>[]
    pages.ids.push(...held.map((one) => String(one[list.id])))
    const next = answer['next_cursor']
    if (typeof next !== 'string') return pages
    pages.cursors.push(next)
  }
  return session.fail(`pages: ${list.operationId} comes to no end`)
}

/** A list that has grown holds each entry once, in order, and belongs to no other tenant. */
export async function listsGrow(session: Session, who: number, luck: Luck): Promise<void> {
  await quiet(session, who)
  const other = (who + 1) % session.tenants.length
  await quiet(session, other)
  const lists = growing(luck)
  const list = lists[luck(lists.length)] as Growing
  const [operationId, body] = list.grow
  if (operationId === 'sandboxIdentityVerificationRetry') {
    const consent = { is_shareable: luck(2) === 0, gave_consent: luck(2) === 0 }
    await session.ask('identityVerificationCreate', who, { ...body, ...consent })
  }
  const before = await readPages(session, who, list)
  if (!before) return
  const made: string[] = []
  const lacking = Math.max(2, list.most + 1 - before.ids.length)
  for (let left = lacking; left > 0; left -= 1) {
    const { status, json } = await session.ask(operationId, who, body)
    if (status === 200) made.push(String((json as Body)[list.id]))
  }
  const after = await readPages(session, who, list)
  if (!after) return
  const expected = list.newestFirst
    ? [...made.toReversed(), ...before.ids]
    : [...before.ids, ...made]
  must(
    session,
    expected.join() === after.ids.join(),
    `pages: ${list.operationId} holds ${after.ids.length} where ${expected.length} were made, or in another order`,
  )
  await stayOnes(session, other, list, after.cursors[0])
}

/** A cursor of another tenant's is rejected as one that was never issued. */
async function stayOnes(
  session: Session,
  other: number,
  list: Growing,
  cursor: string | undefined,
): Promise<void> {
  if (cursor === undefined) return
  const use = async (one: string) => {
    const { status, json } = await session.ask(list.operationId, other, {
      ...list.body,
      cursor: one,
    })
    return `${status} ${codeIn(json)}`
  }
  const [foreign, unknown] = [await use(cursor), await use(neverGiven(cursor))]
  must(
    session,
    foreign === unknown,
    `tenants: a cursor of another's gets ${foreign}, one of nobody's ${unknown}`,
  )
}
