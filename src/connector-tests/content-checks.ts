import type { Message } from '../connector/connector.ts'
import type { BankAccount, BankRow } from './bank.ts'
import type { Check } from './checks.ts'
import { refOf } from './order-checks.ts'
import { ofType, require } from './run.ts'

/** The currencies that a connector tells of an account, each with the kind of its message. */
const currenciesOf = (messages: readonly Message[], account: string): [string, string][] => [
  ...ofType(messages, 'account')
    .filter(({ ref }) => ref === account)
    .map(({ account: { currency } }): [string, string] => ['account', currency]),
  ...ofType(messages, 'balance')
    .filter(({ ref }) => ref === account)
    .map(({ balance: { currency } }): [string, string] => ['balance', currency]),
  ...ofType(messages, 'transaction')
    .filter(({ ref }) => ref === account)
    .map(({ transaction: { currency } }): [string, string] => ['row', currency]),
]

function requireCurrency(messages: readonly Message[], account: BankAccount): void {
  const { name, currency } = account
  for (const [kind, told] of currenciesOf(messages, refOf(messages, account))) {
    require(told ===
      currency, `the currency of the ${kind} of ${name} must be ${currency}, not ${told}`)
  }
}

/** A connector may clean white space. */
const clean = (text: string): string => text.replaceAll(/\s+/g, ' ').trim()

function requireText(messages: readonly Message[], account: BankAccount, row: BankRow): void {
  const ref = refOf(messages, account)
  const alike = ofType(messages, 'transaction').filter(
    ({ transaction: { date, amount }, ...one }) =>
      one.ref === ref && date === row.date && amount === row.amount,
  )
  const isTold =
    alike.length > 0 &&
    alike.every(({ transaction }) =>
      clean(transaction.description).includes(clean(row.description)),
    )
  require(isTold, `the row of ${row.date} with ${row.amount} must have the text "${row.description}"`)
}

/** Checks that what a connector tells is what the bank says. */
export const contentChecks: readonly Check[] = [
  {
    name: 'tells the currency of each account, balance and row',
    lacks: 'other currencies',
    async run(run) {
      const messages = await run.read(await run.authorize())
      for (const account of run.accounts) requireCurrency(messages, account)
    },
  },
  {
    name: 'tells the text of each row',
    async run(run) {
      const messages = await run.read(await run.authorize())
      for (const account of run.accounts) {
        for (const row of account.rows) requireText(messages, account, row)
      }
    },
  },
  {
    name: 'tells accounts apart by their names',
    lacks: 'names of accounts',
    async run(run) {
      const messages = await run.read(await run.authorize())
      const names = ofType(messages, 'account').map(({ account }) => clean(account.name ?? ''))
      require(!names.includes(''), 'it told an account without a name')
      require(new Set(names).size === names.length, 'it told two accounts with the same name')
    },
  },
]
