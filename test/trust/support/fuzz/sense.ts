import { customOptions } from './custom-user.ts'
import type { Luck } from './references.ts'
import type { Body, Subject } from './subjects.ts'

/** Where bodies lead that name a value of the seed data. */
export interface Surroundings {
  subjects: readonly Subject[]
  /** Where webhooks may be sent. */
  receiver: string
  /** The caller's time. */
  now: number
}

type Change = (body: Body, around: Surroundings, luck: Luck) => Body

const day = (at: number): string => new Date(at).toISOString().slice(0, 10)
const dayMs = 86_400_000
const second = (at: number): string => new Date(at).toISOString().replace(/\.\d+/, '')

const products = [
  ['transactions', 'identity', 'liabilities', 'assets'],
  ['transactions', 'assets'],
  ['auth'],
  ['identity'],
]

/** Fields that hardly any value drawn by chance would suit; a body may keep its own now and then. */
const changes: Readonly<Record<string, Change>> = {
  sandboxPublicTokenCreate(body, { receiver }, luck) {
    // Two years of data take as long as a hundred other requests.
    const generated = luck(200) === 199
    const webhook = luck(2) === 0 ? { webhook: `${receiver}/${luck(4)}` } : {}
    const override = generated ? {} : customOptions(luck)
    const initial_products = products[luck(products.length)]
    return {
      ...body,
      institution_id: 'ins_109508',
      initial_products,
      options: { ...webhook, ...override },
    }
  },
  // A sandbox endpoint whose answer is lost has moved what its caller then no longer knows.
  sandboxErrorInject(body, { subjects }, luck) {
    const subject = subjects[luck(subjects.length)] as Subject
    const codes = Object.values(subject.errors).flat()
    const code = codes[luck(codes.length)]
      ?.split('.')
      .find(
        (part) =>
          !/^(\d+|oauth|INVALID_INPUT|INVALID_REQUEST|ITEM_ERROR|ASSET_REPORT_ERROR)$/.test(part),
      )
    const fault = [
      { error_code: code },
      { delay_ms: 1 },
      { drop: true },
      { unknown_enum: true },
      { error_code: code },
    ][luck(5)]
    const { access_token } = body
    const whose = access_token === undefined || luck(3) > 0 ? {} : { access_token }
    return { operation: subject.path, ...fault, ...whose, times: 1 + luck(2) }
  },
  sandboxClockAdvance: (_body, _around, luck) => ({
    seconds: [1, 0, 59, 61, 899, 901, 3600, 86_400, 691_200, 2_600_000][luck(10)],
  }),
  transactionsGet: (body, { now }, luck) => ({
    ...body,
    start_date: day(now - (10 + luck(800)) * dayMs),
    end_date: day(now + luck(3) * dayMs),
  }),
  protectEventSend(body, { now }, luck) {
    const event = { ...(body['event'] as Body), timestamp: second(now - luck(1000) * 1000) }
    const { timestamp: _, ...rest } = body
    return { ...rest, event }
  },
  sandboxWalletTransactionCreate: (body, _around, luck) => ({
    ...body,
    amount: (luck(999) - 300) / 100,
  }),
  sandboxTransactionsCreate(body, { now }, luck) {
    const transactions = (body['transactions'] as Body[]).map((one) => ({
      ...one,
      amount: (luck(999) - 500) / 100,
      date_posted: day(now - luck(20) * dayMs),
      date_transacted: day(now - 20 * dayMs),
    }))
    return { ...body, transactions }
  },
  // Most Items have a history of two weeks.
  assetReportCreate: (body, _around, luck) => ({
    ...body,
    days_requested: luck(2) === 0 ? 61 : 1 + luck(20),
  }),
  sandboxClientCreate: (body) => ({ ...body, client_name: 'Another' }),
}

/** What takes long as it was drawn. */
const dear = new Set(['sandboxPublicTokenCreate'])

/** Makes a drawn body one that has a chance to be done. */
export function makeSense(subject: Subject, body: Body, around: Surroundings, luck: Luck): Body {
  const change = changes[subject.id]
  const isKept = luck(10) === 9 && !dear.has(subject.id)
  if (!change || isKept) return tamed(body)
  try {
    return tamed(change(body, around, luck))
  } catch {
    // A broken copy may lack what is to be changed.
    return tamed(body)
  }
}

/** Keeps a request from asking for a long delay, or from changing years of the seed data. */
function tamed(body: Body): Body {
  const { delay_ms, seconds } = body
  return {
    ...body,
    ...(typeof delay_ms === 'number' && delay_ms > 3 ? { delay_ms: 3 } : {}),
    ...(typeof seconds === 'number' && seconds > 5_000_000 ? { seconds: 5_000_000 } : {}),
  }
}
