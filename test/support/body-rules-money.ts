import { type Body, type BodyRule, onlyIf } from './body-rules.ts'

const ach = ['ach', 'same-day-ach']
const statuses = [
  ...['pending', 'posted', 'settled', 'funds_available', 'cancelled', 'failed', 'returned'],
]
const failed = { failure_code: null, ach_return_code: null, description: 'no' }
const returned = { failure_code: 'R01', ach_return_code: 'R01', description: 'no' }
const returnedWire = { failure_code: 'AC04', ach_return_code: 'AC04', description: 'no' }
const odd = { failure_code: 'R83', ach_return_code: 'R01', description: 'no' }
const empty = { failure_code: '', ach_return_code: '', description: 'no' }
const halfCode = { failure_code: 'R01', ach_return_code: null, description: 'no' }
const schedule = [{ sweep_settlement_date: '2026-03-12', swept_settled_amount: '1.00' }]
const wire = { message_to_beneficiary: null, wire_return_fee: null }

/** The most that each network carries; wires carry less than a million. */
function carries(network: string, amount: string): boolean {
  const value = Number(amount)
  if (network === 'ach') return value <= 10_000_000
  return network === 'wire' ? value < 1_000_000 : value <= 1_000_000
}

function reasonFits({ status, network, failure_reason: reason }: Body): boolean {
  if (status === 'failed')
    return reason !== null && reason.failure_code === null && reason.ach_return_code === null
  if (status !== 'returned') return reason === null
  if (!reason?.failure_code || !reason.ach_return_code) return false
  const codes = [reason.failure_code, reason.ach_return_code]
  return !ach.includes(network) || codes.every((code) => /^R(0[1-9]|[1-7]\d|8[0-2])$/.test(code))
}

function classFits({ network, type, ach_class }: Body): boolean {
  if (ach.includes(network) !== (ach_class !== undefined)) return false
  if (ach_class === undefined) return true
  return (type === 'credit' ? ['ccd', 'ppd'] : ['ccd', 'tel', 'web']).includes(ach_class)
}

function transferFits(body: Body): boolean {
  const { network, type, status, expected_sweep_settlement_schedule: sweeps } = body
  return [
    classFits(body),
    carries(network, body['amount']),
    /^\d{1,10}\.\d{2}$/.test(body['facilitator_fee'] ?? '1.00') &&
      body['facilitator_fee'] !== '0.00',
    reasonFits(body),
    onlyIf(body['wire_details'] !== null, network === 'wire'),
    onlyIf(network === 'wire', type === 'credit'),
    onlyIf(sweeps !== undefined, ach.includes(network) && type === 'debit'),
    onlyIf(body['expected_funds_available_date'] !== null, type === 'debit'),
    onlyIf(status === 'funds_available', type === 'debit' && ach.includes(network)),
    onlyIf(body['sweep_status'] !== null, !['cancelled', 'failed'].includes(status)),
    onlyIf(body['network_trace_id'] !== null, !['pending', 'cancelled'].includes(status)),
    onlyIf(body['cancellable'], status === 'pending'),
    onlyIf(
      body['guarantee_decision_rationale'] !== null,
      body['guarantee_decision'] === 'NOT_GUARANTEED',
    ),
  ].every(Boolean)
}

const bare = {
  status: 'posted',
  failure_reason: null,
  sweep_status: null,
  network_trace_id: null,
  cancellable: false,
  guarantee_decision: null,
  guarantee_decision_rationale: null,
  expected_funds_available_date: null,
  expected_sweep_settlement_schedule: undefined,
}

export const moneyRules: BodyRule[] = [
  {
    schema: 'Transfer',
    starts: [
      { ...bare, network: 'ach', type: 'debit', ach_class: 'web' },
      { ...bare, network: 'same-day-ach', type: 'credit', ach_class: 'ppd' },
      {
        ...bare,
        network: 'ach',
        type: 'debit',
        ach_class: 'ccd',
        status: 'returned',
        failure_reason: returned,
      },
      {
        ...bare,
        network: 'same-day-ach',
        type: 'debit',
        ach_class: 'ccd',
        status: 'returned',
        failure_reason: returned,
      },
      { ...bare, network: 'rtp', type: 'credit', ach_class: undefined },
      { ...bare, network: 'wire', type: 'credit', ach_class: undefined, wire_details: wire },
    ],
    fields: {
      network: ['ach', 'same-day-ach', 'rtp', 'wire'],
      type: ['credit', 'debit'],
      ach_class: ['ccd', 'ppd', 'tel', 'web', undefined],
      status: statuses,
      amount: ['10000000.00', '10000000.01', '1000000.00', '1000000.01', '999999.99', '1.00'],
      wire_details: [null, wire],
      failure_reason: [null, failed, returned, returnedWire, odd, empty, halfCode],
      sweep_status: [null, 'unswept'],
      network_trace_id: [null, '021000029876543'],
      cancellable: [true, false],
      facilitator_fee: [undefined, '9999999999.99', '12345678901.00', '0.00', '1.5'],
      guarantee_decision: ['GUARANTEED', 'NOT_GUARANTEED', null],
      guarantee_decision_rationale: [null, { code: 'RETURN_BANK', description: 'no' }],
      expected_funds_available_date: [null, '2026-03-12'],
      expected_sweep_settlement_schedule: [undefined, schedule],
    },
    holds: transferFits,
  },
  {
    schema: 'Refund',
    starts: [{}],
    fields: {
      status: statuses.filter((status) => status !== 'funds_available'),
      failure_reason: [null, returned],
    },
    holds: ({ status, failure_reason }) =>
      failure_reason === null || ['failed', 'returned'].includes(status),
  },
  {
    schema: 'BankTransferEvent',
    starts: [{}],
    fields: {
      event_type: ['pending', 'posted', 'cancelled', 'failed', 'reversed'],
      failure_reason: [
        null,
        { ach_return_code: null, description: 'no' },
        { ach_return_code: 'R01', description: 'no' },
      ],
    },
    holds: ({ event_type, failure_reason: reason }) => {
      if (!['failed', 'reversed'].includes(event_type)) return reason === null
      return reason !== null && (event_type === 'reversed' || reason.ach_return_code === null)
    },
  },
  {
    schema: 'WalletNumbers',
    starts: [{}],
    fields: {
      bacs: [{ account: '31926819', sort_code: '601613' }, null],
      international: [{ iban: 'GB29NWBK60161331926819', bic: 'NWBKGB2L' }, null],
    },
    holds: ({ bacs, international }) => bacs !== null || international !== null,
  },
  {
    schema: 'ProtectEventInput',
    starts: [{}],
    fields: {
      app_visit: [{}, null, undefined],
      user_sign_in: [{}, null, undefined],
      user_sign_up: [{}, null, undefined],
    },
    holds: ({ app_visit, user_sign_in, user_sign_up }) =>
      [app_visit, user_sign_in, user_sign_up].filter((event) => event != null).length === 1,
  },
]
