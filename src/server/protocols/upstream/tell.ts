import { issuesOfMessage } from '../../../connector/check-message.ts'
import type { ReadContext } from '../../../connector/connector.ts'
import type { SourceBalance, SourceTransaction } from '../../../statements/statement.ts'
import { isWholeCents, toDecimal, toMinor } from '../../kernel/money.ts'
import type { Message } from '../protocol.ts'
import type { Account, Transaction } from './api.ts'
import type { Told } from './read.ts'

type Telling = Pick<ReadContext, 'window' | 'balancesOnly' | 'now'> & {
  /** Names the Item there. */
  epoch: string
}

/** What the other service told, from the view of the account's holder. */
export function* tell(told: Told, telling: Telling): Generator<Message> {
  const accounts = told.accounts.filter(hasTransactions)
  const rows = Map.groupBy(told.rows.values(), ({ account_id }) => account_id)
  const removed = Map.groupBy(told.removed, ([, account_id]) => account_id)
  for (const account of accounts) {
    const { account_id: ref } = account
    yield { type: 'account', ref, account: toAccount(account, telling) }
    yield* tellBalances(account, telling)
    if (telling.balancesOnly) continue
    for (const row of rows.get(ref) ?? []) yield toReadable('row', toRow(row))
    for (const [id] of removed.get(ref) ?? []) yield { type: 'removed', ref, id }
    if (told.isWhole) yield { type: 'covered', ref, ...telling.window, pending: true }
  }
  if (telling.balancesOnly) return
  if (!told.isWhole) {
    const message = 'the source has not told the whole history yet'
    yield { type: 'issue', issue: { kind: 'account', message } }
  }
  if (told.state) yield { type: 'state', state: told.state }
}

/** Of the other accounts there are none. */
const hasTransactions = ({ type, subtype }: Account): boolean =>
  type === 'depository' || type === 'credit' || (type === 'loan' && subtype === 'student')

function toAccount(account: Account, { epoch }: Telling) {
  const { account_id, persistent_account_id, type, subtype, name, official_name, mask } = account
  return {
    id: persistent_account_id ?? account_id,
    opaque: 'own',
    epoch,
    currency: currencyOf(account.balances),
    type,
    name,
    ...(subtype === null ? {} : { subtype }),
    ...(official_name === null ? {} : { organization: official_name }),
    ...(mask === null ? {} : { mask }),
  } as const
}

const currencyOf = (
  money: Pick<Transaction, 'iso_currency_code' | 'unofficial_currency_code'>,
): string => money.iso_currency_code ?? money.unofficial_currency_code ?? 'USD'

function* tellBalances(
  { account_id: ref, type, balances }: Account,
  { now }: Telling,
): Generator<Message> {
  const currency = currencyOf(balances)
  const date = new Date(now).toISOString().slice(0, 10)
  const told: (readonly [SourceBalance['type'], number | null])[] = [
    // What is owed is positive there, and negative for its holder.
    ['closing', type === 'depository' ? balances.current : negate(balances.current)],
    ['available', balances.available],
  ]
  for (const [name, amount] of told) {
    if (amount === null) continue
    if (!isWholeCents(amount)) yield unreadable('account', 'a balance has more than two decimals')
    else {
      const balance = { type: name, amount: toDecimal(toMinor(amount)), currency, date }
      yield toReadable('account', { type: 'balance', ref, balance })
    }
  }
}

const negate = (amount: number | null): number | null => (amount === null ? null : 0 - amount)

const unreadable = (kind: 'account' | 'row', message: string): Message => ({
  type: 'issue',
  issue: { kind, message },
})

/** One value that this service cannot store must not keep all others away. */
function toReadable(kind: 'account' | 'row', message: Message): Message {
  const [issue] = issuesOfMessage(message)
  return issue === undefined ? message : unreadable(kind, issue)
}

function toRow(told: Transaction): Message {
  const { transaction_id: id, account_id: ref, amount, pending, name, date } = told
  if (!isWholeCents(amount)) return unreadable('row', 'an amount has more than two decimals')
  const transaction: SourceTransaction = {
    id,
    status: pending ? 'pending' : 'posted',
    amount: toDecimal(0 - toMinor(amount)),
    currency: currencyOf(told),
    date,
    description: (told.original_description ?? name).slice(0, 2000),
    ...(told.pending_transaction_id === null ? {} : { replaces: told.pending_transaction_id }),
    details: toDetails(told),
  }
  return { type: 'transaction', ref, transaction }
}

/** All that is shown as it was told. Icons of categories are our own. */
function toDetails(told: Transaction): NonNullable<SourceTransaction['details']> {
  const {
    transaction_id: _id,
    account_id: _account,
    amount: _amount,
    iso_currency_code: _currency,
    unofficial_currency_code: _unofficial,
    date: _date,
    pending: _pending,
    pending_transaction_id: _replaces,
    personal_finance_category_icon_url: _icon,
    ...details
  } = told
  return details
}
