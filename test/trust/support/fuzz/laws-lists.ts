import { isDeepStrictEqual } from 'node:util'
import { liveItem, must, quiet } from './laws-tools.ts'
import type { Luck } from './references.ts'
import type { Session } from './session.ts'
import type { Body } from './subjects.ts'

/** A list that can be read in pages of a chosen length, and whole. */
interface List {
  operationId: string
  /** The body of a page; `from` is the cursor of the page before it. */
  page(from: unknown, count: number): Body
  /** What the page held, and where the next one begins. */
  read(answer: Body, from: unknown): { held: unknown[]; next: unknown }
  most: number
}

const byCursor = (operationId: string, name: string, most: number, rest: Body = {}): List => ({
  operationId,
  most,
  page: (from, count) => ({ ...rest, count, ...(from == null ? {} : { cursor: from }) }),
  read: (answer) => ({ held: answer[name] as unknown[], next: answer['next_cursor'] ?? null }),
})

function listsOf(session: Session, who: number): List[] {
  const access_token = liveItem(session, who)
  const wide = { access_token, start_date: '2020-01-01', end_date: '2099-12-31' }
  const lists: List[] = [
    byCursor('walletList', 'wallets', 20),
    byCursor('sandboxWebhookList', 'webhooks', 100),
    {
      operationId: 'bankTransferEventSync',
      most: 25,
      page: (from, count) => ({ after_id: from ?? 0, count }),
      read(answer) {
        const held = answer['bank_transfer_events'] as { event_id: number }[]
        return { held, next: held.at(-1)?.event_id ?? null }
      },
    },
  ]
  if (access_token === undefined) return lists
  return [
    ...lists,
    {
      operationId: 'transactionsGet',
      most: 500,
      page: (from, count) => ({ ...wide, options: { count, offset: from ?? 0 } }),
      read(answer, from) {
        const held = answer['transactions'] as unknown[]
        const past = Number(from ?? 0) + held.length
        return { held, next: past < Number(answer['total_transactions']) ? past : null }
      },
    },
    {
      operationId: 'transactionsSync',
      most: 500,
      page: (from, count) => ({ access_token, count, ...(from == null ? {} : { cursor: from }) }),
      read: (answer) => ({
        held: ['added', 'modified', 'removed'].flatMap((name) => answer[name] as unknown[]),
        next: answer['has_more'] === true ? answer['next_cursor'] : null,
      }),
    },
  ]
}

/** All pages of a list, one after the other, or undefined where it cannot be read. */
async function readAll(session: Session, who: number, list: List, count: number) {
  const all: unknown[] = []
  let from: unknown
  for (let pages = 0; pages < 400; pages += 1) {
    const answer = await session.ask(list.operationId, who, list.page(from, count))
    if (answer.status !== 200) return undefined
    const { held, next } = list.read(answer.json as Body, from)
    if (held.length > count)
      session.fail(`pages: ${list.operationId} has more than it was asked for`)
    all.push(...held)
    if (next == null || next === '') return all
    from = next
  }
  return session.fail(`pages: ${list.operationId} comes to no end`)
}

/** Pages of any length make the same list, and nothing in it stands twice. */
export async function pagesMakeTheList(session: Session, who: number, luck: Luck): Promise<void> {
  await quiet(session, who)
  const lists = listsOf(session, who)
  const list = lists[luck(lists.length)] as List
  const count = 1 + luck(4)
  if (list.operationId === 'walletList') {
    for (let made = luck(5); made > 0; made -= 1) {
      await session.ask('walletCreate', who, { iso_currency_code: 'GBP' })
    }
  }
  // A first read may be what has the list made.
  await session.ask(list.operationId, who, list.page(undefined, 1))
  await session.target.settle()
  const whole = await readAll(session, who, list, list.most)
  const parts = await readAll(session, who, list, count)
  if (!whole || !parts) return
  if (!isDeepStrictEqual(whole, parts)) {
    session.fail(
      `pages: ${list.operationId} holds ${whole.length} at once and ${parts.length} by ${count}`,
    )
  }
  const texts = new Set(whole.map((one) => JSON.stringify(one)))
  if (texts.size < whole.length) session.fail(`pages: ${list.operationId} holds something twice`)
}

interface Made {
  operationId: string
  body: Body
  /** The request that has to show it. */
  seen: [operationId: string, body: Body]
  id: string
}

function creations(session: Session, who: number, luck: Luck): Made[] {
  const access_token = liveItem(session, who)
  const today = '2026-03-16'
  const client_user_id = `made-${luck(1000)}-${session.memory.all('client_user').length}`
  const made: Made[] = [
    {
      operationId: 'walletCreate',
      body: { iso_currency_code: 'EUR' },
      id: 'wallet_id',
      seen: ['walletList', { count: 20 }],
    },
    {
      operationId: 'sandboxDashboardUserCreate',
      body: { email_address: 'someone@example.com' },
      id: 'id',
      seen: ['dashboardUserList', {}],
    },
    {
      operationId: 'identityVerificationCreate',
      body: {
        client_user_id,
        template_id: 'idvtmp_00000000000kyc',
        is_shareable: true,
        gave_consent: true,
      },
      id: 'id',
      seen: ['identityVerificationList', { template_id: 'idvtmp_00000000000kyc' }],
    },
    {
      operationId: 'sandboxInstitutionCreate',
      body: {
        name: `Bank of ${client_user_id}`,
        institution_id: `ins_${who}_${client_user_id}`,
        products: ['transactions'],
        country_codes: ['US'],
      },
      id: 'institution_id',
      seen: [
        'institutionsSearch',
        { query: `ins_${who}_${client_user_id}`, country_codes: ['US'] },
      ],
    },
    {
      operationId: 'sandboxWebhookRotateKey',
      body: {},
      id: 'key_id',
      seen: ['webhookVerificationKeyGet', {}],
    },
  ]
  if (access_token === undefined) return made
  const transactions = [
    { amount: 1.23, date_posted: today, date_transacted: today, description: client_user_id },
  ]
  return [
    ...made,
    {
      operationId: 'sandboxTransactionsCreate',
      body: { access_token, transactions },
      id: 'transaction_ids',
      seen: [
        'transactionsGet',
        { access_token, start_date: '2026-03-01', end_date: '2099-01-01', options: { count: 500 } },
      ],
    },
    {
      operationId: 'sandboxAccountCreate',
      body: { access_token, type: 'depository', subtype: 'savings', name: client_user_id },
      id: 'account_id',
      seen: ['accountsGet', { access_token }],
    },
  ]
}

/** What one has made is there for its own tenant only. */
export async function whatIsMadeIsThere(session: Session, who: number, luck: Luck): Promise<void> {
  await quiet(session, who)
  const other = (who + 1) % session.tenants.length
  await quiet(session, other)
  const all = creations(session, who, luck)
  const { operationId, body, id, seen } = all[luck(all.length)] as Made
  const answer = await session.ask(operationId, who, body)
  if (answer.status !== 200) return
  const value = String([(answer.json as Body)[id]].flat()[0])
  const [reading, its] = seen
  const shown = reading === 'webhookVerificationKeyGet' ? { key_id: value } : its
  const own = await session.ask(reading, who, shown)
  if (own.status !== 200) return
  // A list whose first page is full may hold it on another.
  const isWhole = (own.json as Body)['next_cursor'] == null
  must(
    session,
    !isWhole || own.text.includes(value),
    `made: ${operationId} made what ${reading} does not show`,
  )
  const others = await session.ask(reading, other, shown)
  const isShown = others.status === 200 && others.text.includes(value)
  must(session, !isShown, `tenants: ${reading} shows what another tenant has made`)
}

/** A cursor of one Item is rejected with the token of another. */
export async function cursorsBelong(session: Session, who: number): Promise<void> {
  await quiet(session, who)
  const { memory, target } = session
  const items = memory.all('item').filter((one) => one.owner === who && !one.ended)
  const [one, other] = [items.at(0), items.at(-1)]
  if (!one || !other || one === other) return
  await target.settle()
  const page = await session.ask('transactionsSync', who, { access_token: one.value, count: 1 })
  const { next_cursor } = page.json as { next_cursor?: string }
  const isSealed = page.status === 200 && next_cursor !== ''
  if (!isSealed) return
  const body = { access_token: other.value, cursor: next_cursor }
  const answer = await session.ask('transactionsSync', who, body)
  must(session, answer.status !== 200, 'cursors: that of one Item is good for another')
}
