import { beforeAll, expect, test } from 'vitest'
import { root } from '../../scripts/contract/contract.ts'
import {
  type Change,
  disagreements,
  leftOutAndChanged,
  sayings,
  strayChanges,
  unlikeSaid,
} from './support/fuzz/frame.ts'
import { judgeFilters } from './support/fuzz/judge-lists.ts'
import { type LawName, laws } from './support/fuzz/laws.ts'
import { watchChanges } from './support/fuzz/laws-changes.ts'
import { createLedger } from './support/fuzz/ledger.ts'
import type { Shown } from './support/fuzz/picture.ts'
import { createReach } from './support/fuzz/reach.ts'
import { Finding, type Ground, openSession } from './support/fuzz/session.ts'
import { type Body, readSubjects, type Subject } from './support/fuzz/subjects.ts'
import { openTarget, start, type Target } from './support/fuzz/target.ts'

// Laws of the fuzzer with impossible responses: each must fail on them, and pass otherwise.

let subjects: ReadonlyMap<string, Subject>
beforeAll(async () => {
  subjects = new Map((await readSubjects()).map((subject) => [subject.id, subject]))
})

const subject = (id: string): Subject => subjects.get(id) as Subject

const filtered = [
  {
    words: 'an account that was not asked for',
    id: 'liabilitiesGet',
    request: { access_token: 'a', options: { account_ids: ['one'] } },
    good: { accounts: [{ account_id: 'one' }], liabilities: { credit: [{ account_id: 'one' }] } },
    bad: { accounts: [{ account_id: 'one' }], liabilities: { credit: [{ account_id: 'two' }] } },
  },
  {
    words: 'another currency inside of what was asked for',
    id: 'walletList',
    request: { iso_currency_code: 'EUR' },
    good: { wallets: [{ wallet_id: 'w', balance: { iso_currency_code: 'EUR' } }] },
    bad: { wallets: [{ wallet_id: 'w', balance: { iso_currency_code: 'GBP' } }] },
  },
  {
    words: 'another thing than the one that was named',
    id: 'transferGet',
    request: { transfer_id: 'one' },
    good: { transfer: { id: 'one' } },
    bad: { transfer: { id: 'two' } },
  },
  {
    words: 'a day before the first one',
    id: 'transactionsGet',
    request: { start_date: '2026-03-02', end_date: '2026-03-03' },
    good: { transactions: [{ date: '2026-03-02' }, { date: '2026-03-03' }] },
    bad: { transactions: [{ date: '2026-03-01' }] },
  },
  {
    words: 'a day more than a report was asked for',
    id: 'assetReportGet',
    request: {},
    good: {
      report: {
        days_requested: 2,
        date_generated: '2026-03-16T00:00:00Z',
        items: [{ date: '2026-03-15' }],
      },
    },
    bad: {
      report: {
        days_requested: 2,
        date_generated: '2026-03-16T00:00:00Z',
        items: [{ date: '2026-03-14' }],
      },
    },
  },
]

test.each(filtered)('an answer is not taken that holds $words', ({ id, request, good, bad }) => {
  expect(judgeFilters(subject(id), request, good)).toEqual([])
  expect(judgeFilters(subject(id), request, bad)).not.toEqual([])
})

const wallet = (id: string, more: Body = {}): Shown => ({
  kind: 'wallet',
  id,
  by: 'walletGet',
  item: undefined,
  fields: { wallet_id: id, status: 'ACTIVE', amount: 1, ...more },
})

const change = (more: Partial<Change>): Change => ({
  path: '/sandbox/wallet/simulate',
  request: { wallet_id: 'one' },
  answer: {},
  isName: (text) => ['one', 'two'].includes(text),
  before: [wallet('one'), wallet('two')],
  after: [wallet('one'), wallet('two')],
  ...more,
})

test('a change of what a call does not name is noticed', () => {
  const named = change({ after: [wallet('one', { amount: 2 }), wallet('two')] })
  expect(strayChanges(named)).toEqual([])
  const other = change({ after: [wallet('one'), wallet('two', { amount: 2 })] })
  expect(strayChanges(other)).toEqual(['wallet of walletGet: amount'])
  expect(strayChanges(change({ after: [wallet('one')] }))).toEqual(['wallet of walletGet: gone'])
  const more = change({ after: [...change({}).after, wallet('six')] })
  expect(strayChanges(more)).toEqual(['wallet of walletGet: new'])
})

test('a thing that does not say what was said of it is noticed', () => {
  const saysSo = (after: Shown[]) =>
    sayings(change({ request: { wallet_id: 'one', status: 'CLOSED' }, after })).flatMap(
      ({ said, things }) => things.flatMap((one) => unlikeSaid(said, one)),
    )
  expect(saysSo([wallet('one', { status: 'CLOSED' }), wallet('two')])).toEqual([])
  expect(saysSo([wallet('one'), wallet('two')])).toEqual(['wallet of walletGet: `status`'])
})

test('what was left out and is another now is noticed', () => {
  const request = { wallet_id: 'one', status: 'CLOSED' }
  const kept = change({ request, after: [wallet('one', { status: 'CLOSED' })] })
  expect(leftOutAndChanged(kept)).toEqual([])
  const lost = change({ request, after: [wallet('one', { status: 'CLOSED', amount: 9 })] })
  expect(leftOutAndChanged(lost)).toEqual(['wallet of walletGet: `amount`'])
})

test('two answers that tell one thing differently are noticed', () => {
  const listed = (amount: number) => ({ ...wallet('one', { amount }), by: 'walletList' })
  expect(disagreements([wallet('one'), listed(1)])).toEqual([])
  expect(disagreements([wallet('one'), listed(2)])).toHaveLength(1)
})

test('what follows another and begins otherwise, or was made at another time, is noticed', () => {
  const made = (more: Body = {}) => {
    const ledger = createLedger()
    const attempt = {
      created_at: new Date(start).toISOString(),
      template: { id: 't', version: 1 },
      steps: { accept_tos: 'active' },
    }
    const retry = subject('sandboxIdentityVerificationRetry')
    const create = subject('identityVerificationCreate')
    const first = { ...attempt, id: 'one', previous_attempt_id: null }
    const next = { ...attempt, id: 'two', previous_attempt_id: 'one', ...more }
    return [...ledger.make(create, {}, first, start), ...ledger.make(retry, {}, next, start)]
  }
  expect(made()).toEqual([])
  expect(made({ steps: { accept_tos: 'skipped' } })).toHaveLength(1)
  expect(made({ created_at: '2026-03-15T14:05:09Z' })).toHaveLength(1)
})

/** A service whose answers of one path are changed on their way. */
const tampered = (
  target: Target,
  path: string,
  tamper: (answer: Body, request: Body) => void,
): Target => ({
  ...target,
  async send(sent) {
    const answer = await target.send(sent)
    if (sent.path !== path || answer.status !== 200) return answer
    const json = structuredClone(answer.json) as Body
    tamper(json, JSON.parse(String(sent.body)) as Body)
    return { ...answer, json, text: JSON.stringify(json) }
  },
})

type List = Record<string, unknown>[]

const lies: {
  law: LawName
  luck: number
  path: string
  words: RegExp
  tamper(answer: Body, request: Body): void
}[] = [
  {
    law: 'filtersChoose',
    luck: 0,
    path: '/accounts/get',
    words: /^filters: .*leaves out/,
    tamper(answer, { options }) {
      if (options) answer['accounts'] = []
    },
  },
  {
    law: 'listsGrow',
    luck: 0,
    path: '/wallet/list',
    words: /^pages: /,
    tamper: (answer) => void (answer['wallets'] as List).pop(),
  },
  {
    law: 'listsGrow',
    luck: 1,
    path: '/dashboard_user/list',
    words: /^pages: /,
    tamper: (answer) => void (answer['dashboard_users'] as List).reverse(),
  },
]

async function openGround(): Promise<Ground> {
  return { target: await openTarget(root), subjects, reach: createReach() }
}

test.each(lies)(
  '$law fails where $path tells what is not so',
  async ({ law, luck, path, words, tamper }) => {
    const honest = await openGround()
    const run = async (ground: Ground): Promise<void> => {
      const session = await openSession(ground)
      for (const who of session.tenants.keys()) await laws.begin(session, who, () => 0)
      await laws[law](session, 0, (bound) => luck % bound)
    }
    await run(honest)
    const lying = { ...honest, target: tampered(honest.target, path, tamper) }
    await expect(run(lying)).rejects.toThrow(words)
    await honest.target.close()
  },
)

test('healthHolds fails where a service forgets for which products an Item is ill', async () => {
  const honest = await openGround()
  const run = async (target: Target): Promise<void> => {
    const session = await openSession({ ...honest, target })
    for (const who of session.tenants.keys()) await laws.begin(session, who, () => 0)
    await laws.healthHolds(session, 0, () => 0)
  }
  await run(honest.target)
  const forgetful: Target = {
    ...honest.target,
    send(sent) {
      if (sent.path !== '/sandbox/item/set_health') return honest.target.send(sent)
      const { products: _, ...rest } = JSON.parse(String(sent.body)) as Body
      return honest.target.send({ ...sent, body: JSON.stringify(rest) })
    },
  }
  await expect(run(forgetful)).rejects.toThrow(/^health: /)
  await honest.target.close()
})

test('a watched call fails whose answers show another thing than before it', async () => {
  const honest = await openGround()
  const run = async (ground: Ground): Promise<void> => {
    const session = await openSession(ground)
    for (const who of session.tenants.keys()) await laws.begin(session, who, () => 0)
    const call = { subject: subject('sandboxDashboardUserCreate'), version: undefined }
    const body = { email_address: 'someone@example.com' }
    await watchChanges(session, 0, [() => ({ ...call, body })])
  }
  await run(honest)
  let reads = 0
  const target = tampered(honest.target, '/wallet/get', (answer) => {
    answer['status'] = reads++ < 2 ? 'ACTIVE' : 'SUSPENDED'
  })
  await expect(run({ ...honest, target })).rejects.toThrow(Finding)
  await honest.target.close()
})
