import { atMostOne, type Body, type BodyRule, onlyIf } from './body-rules.ts'

const investment = [
  [
    '401a',
    '401k',
    '403B',
    '457b',
    '529',
    'brokerage',
    'cash isa',
    'crypto exchange',
    'fhsa',
    'gic',
  ],
  ['education savings account', 'fixed annuity', 'health reimbursement arrangement', 'ira', 'isa'],
  ['keogh', 'lif', 'life insurance', 'lira', 'lrif', 'lrsp', 'mutual fund', 'non-custodial wallet'],
  ['non-taxable brokerage account', 'other annuity', 'other insurance', 'pension', 'prif', 'qshr'],
  ['profit sharing plan', 'rdsp', 'resp', 'retirement', 'rlif', 'roth', 'roth 401k', 'roth 403B'],
  ['roth 457b', 'roth pension', 'roth profit sharing plan', 'roth thrift savings plan', 'rrif'],
  [
    'rrsp',
    'sarsep',
    'sep ira',
    'simple ira',
    'sipp',
    'stock plan',
    'tfsa',
    'trust',
    'ugma',
    'utma',
  ],
  ['thrift savings plan', 'variable annuity'],
].flat()
const depository = [
  ['cash management', 'cd', 'checking', 'ebt', 'limited purpose checking', 'money market'],
  ['prepaid', 'savings'],
].flat()
const loan = [
  ['auto', 'business', 'commercial', 'construction', 'consumer', 'home equity', 'line of credit'],
  ['loan', 'mortgage', 'overdraft', 'student'],
].flat()

const types = ['investment', 'credit', 'depository', 'loan', 'other', 'payroll']

/** Which types of account a subtype may have. */
const typesOf: Record<string, string[]> = {
  ...Object.fromEntries(investment.map((name) => [name, ['investment']])),
  ...Object.fromEntries(depository.map((name) => [name, ['depository']])),
  ...Object.fromEntries(loan.map((name) => [name, ['loan']])),
  'credit card': ['credit'],
  paypal: ['depository', 'credit'],
  hsa: ['depository', 'investment'],
  payroll: ['payroll'],
  other: ['loan', 'investment', 'other'],
}

const fits = ({ type, subtype }: Body): boolean =>
  subtype == null || typesOf[subtype]!.includes(type)

const oneCurrency = ({ iso_currency_code, unofficial_currency_code }: Body): boolean =>
  atMostOne(iso_currency_code, unofficial_currency_code)

const currencies = {
  iso_currency_code: ['USD', null],
  unofficial_currency_code: ['BTC', null],
}

const balances = (schema: string): BodyRule => ({
  schema,
  starts: [{}],
  fields: { ...currencies, available: [1.5, null], current: [1.5, null] },
  holds: (body) => oneCurrency(body) && (body['current'] !== null || body['available'] !== null),
})

const priced = (schema: string): BodyRule => ({
  schema,
  starts: [{}],
  fields: currencies,
  holds: oneCurrency,
})

const closed = ['investment', 'loan', 'other', 'payroll']
const moneyOnly = ['credit', 'loan', 'other', 'payroll']
const day = {
  date: '2026-03-15',
  current: 1,
  iso_currency_code: 'USD',
  unofficial_currency_code: null,
}
const investments = { holdings: [], securities: [], transactions: [] }

export const accountRules: BodyRule[] = [
  {
    schema: 'AccountKind',
    starts: [{}],
    fields: { type: types, subtype: [...Object.keys(typesOf), null] },
    holds: fits,
  },
  balances('AccountBalances'),
  balances('AssetReportBalances'),
  priced('Holding'),
  priced('InvestmentTransaction'),
  priced('HistoricalBalance'),
  {
    schema: 'Item',
    starts: [{}],
    fields: { institution_id: ['ins_1', null], institution_name: ['A Bank', null] },
    holds: ({ institution_id, institution_name }) =>
      (institution_id === null) === (institution_name === null),
  },
  {
    schema: 'Liabilities',
    starts: [{}, { credit: null }],
    fields: { credit: [null, []], mortgage: [null, []], student: [null, []] },
    holds: ({ credit, mortgage, student }) => {
      const all = [credit, mortgage, student]
      return (
        all.some((list) => list !== null) && all.every((list) => list === null || list.length > 0)
      )
    },
  },
  {
    schema: 'TransactionsAccount',
    starts: [{}],
    fields: { type: types, subtype: [...depository, ...loan, 'credit card', 'paypal', null] },
    holds: (body) => {
      const { type, subtype } = body
      if (!['credit', 'depository', 'loan'].includes(type) || !fits(body)) return false
      return onlyIf(type === 'loan', ['student', 'mortgage'].includes(subtype))
    },
  },
  {
    schema: 'PersonalFinanceCategory',
    starts: [{}],
    fields: {
      version: ['v1', 'v2'],
      primary: [
        ...['INCOME', 'TRANSFER_IN', 'TRANSFER_OUT', 'LOAN_PAYMENTS', 'BANK_FEES', 'ENTERTAINMENT'],
        ...[
          'FOOD_AND_DRINK',
          'GENERAL_MERCHANDISE',
          'HOME_IMPROVEMENT',
          'MEDICAL',
          'PERSONAL_CARE',
        ],
        ...['GENERAL_SERVICES', 'GOVERNMENT_AND_NON_PROFIT', 'TRANSPORTATION', 'TRAVEL'],
        ...['RENT_AND_UTILITIES', 'LOAN_DISBURSEMENTS', 'OTHER'],
      ],
    },
    holds: ({ version, primary }) =>
      version !== 'v1' || !['LOAN_DISBURSEMENTS', 'OTHER'].includes(primary),
  },
  {
    schema: 'Transaction',
    starts: [{}],
    fields: { ...currencies, pending: [true, false], pending_transaction_id: ['abc', null] },
    holds: (body) =>
      oneCurrency(body) && !(body['pending'] && body['pending_transaction_id'] !== null),
  },
  {
    schema: 'AssetReportTransaction',
    starts: [{}],
    fields: { ...currencies, pending: [true, false], pending_transaction_id: ['abc', null] },
    holds: (body) =>
      oneCurrency(body) && !(body['pending'] && body['pending_transaction_id'] != null),
  },
  {
    schema: 'AssetReportAccount',
    starts: [{ subtype: null }, { subtype: 'cash management' }],
    fields: {
      type: types,
      historical_balances: [[], [day]],
      investments: [undefined, investments],
      subtype: ['checking', 'cash management', 'hsa', 'prepaid', null],
    },
    holds: (body) => {
      const { type, subtype, investments } = body
      if (!fits(body)) return false
      if (closed.includes(type) && body['historical_balances'].length > 0) return false
      if (investments === undefined) return true
      return !moneyOnly.includes(type) && (type !== 'depository' || subtype === 'cash management')
    },
  },
]
