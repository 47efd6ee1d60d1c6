import { checkConnector } from '../connector/check-connector.ts'
import type { Message } from '../connector/connector.ts'
import type { BankAccount } from './bank.ts'
import { lateRow, pendingRow, postedRow, savings, today, usualWindow, withRows } from './bank.ts'
import type { Check } from './checks.ts'
import { ofType, require, stateOf } from './run.ts'

/** Rows as texts that can be compared. */
function linesOf(messages: readonly Message[], ref?: string): string[] {
  return ofType(messages, 'transaction')
    .filter((one) => ref === undefined || one.ref === ref)
    .map(({ transaction: { status, date, amount } }) => [status, date, amount].join(' '))
    .sort()
}

const expectedOf = ({ rows }: BankAccount): string[] =>
  rows.map(({ status, date, amount }) => [status, date, amount].join(' ')).sort()

/** Compares rows, and names the first that differs. */
function requireRows(told: readonly string[], expected: readonly string[], when: string): void {
  const missing = expected.filter((one) => countOf(told, one) < countOf(expected, one))
  const surplus = told.filter((one) => countOf(told, one) > countOf(expected, one))
  require(missing.length === 0, `${when}, it did not tell the row "${missing[0]}"`)
  require(surplus.length === 0, `${when}, it told the row "${surplus[0]}", which the bank has not`)
}

const countOf = (lines: readonly string[], line: string): number =>
  lines.filter((one) => one === line).length

/** The `ref` of the account that a connector tells for one of the bank. */
export function refOf(messages: readonly Message[], account: BankAccount): string {
  const told = ofType(messages, 'account')
  const found = told.find((one) => one.account.name?.includes(account.name))
  const byId = told.find((one) => one.account.id.includes(account.id))
  const { ref } = found ?? byId ?? {}
  require(ref !== undefined, `it did not tell the account ${account.name} by its name or id`)
  return ref ?? ''
}

/** Checks of what a connector tells, and in which order. */
export const orderChecks: readonly Check[] = [
  {
    name: 'has the shape of a connector',
    run({ connector }) {
      const [mistake] = checkConnector(connector)
      require(mistake === undefined, `\`${mistake?.path}\` must be ${mistake?.expected}`)
    },
  },
  {
    name: 'authorizes a user',
    run: async (run) => void (await run.authorize()),
  },
  {
    name: 'tells an account before what belongs to it',
    async run(run) {
      const known = new Set<string>()
      for (const message of await run.read(await run.authorize())) {
        if (message.type === 'account') known.add(message.ref)
        else if ('ref' in message) {
          require(known.has(message.ref), `it told a ${message.type} before its account`)
        }
      }
    },
  },
  {
    name: 'tells each account, balance and row of the bank once',
    async run(run) {
      const messages = await run.read(await run.authorize())
      for (const account of run.accounts) {
        const ref = refOf(messages, account)
        requireRows(linesOf(messages, ref), expectedOf(account), 'in a usual read')
        const closing = ofType(messages, 'balance').filter(
          (one) => one.ref === ref && one.balance.type === 'closing',
        )
        require(closing.length === 1 &&
          closing[0]?.balance.amount ===
            account.balance, `the closing balance of ${account.name} must be ${account.balance}, told once`)
      }
    },
  },
  {
    name: 'tells its state after its rows',
    async run(run) {
      const messages = await run.read(await run.authorize())
      const last = messages.findIndex(({ type }) => type === 'state')
      const after = last < 0 ? undefined : messages.slice(last).find((one) => 'ref' in one)
      require(after === undefined, `it told a ${after?.type} after its state`)
    },
  },
  {
    name: 'says which days it has covered',
    async run(run) {
      const messages = await run.read(await run.authorize())
      for (const account of run.accounts) {
        const covered = ofType(messages, 'covered').find(
          (one) => one.ref === refOf(messages, account),
        )
        require(covered !== undefined, `it told no \`covered\` of ${account.name}`)
        const { from = '', to = '' } = covered ?? {}
        require(from >= usualWindow.from &&
          to <= usualWindow.to, 'it said that it covered days that it was not asked for')
      }
    },
  },
  {
    name: 'tells late rows of days that it has covered before',
    async run(run) {
      const secret = await run.authorize()
      const before = await run.read(secret)
      run.accounts = run.accounts.map((one, index) => (index === 0 ? withRows(one, lateRow) : one))
      const messages = await run.read(secret, { state: stateOf(before) })
      const [first] = run.accounts
      if (!first) return
      const ref = refOf(messages, first)
      const covered = ofType(messages, 'covered').find((one) => one.ref === ref)
      const from = covered?.from ?? ''
      require(from !== '' && from <= '2026-03-06', `it must cover ten days before ${today} again`)
      const rows = first.rows.filter(({ date }) => date >= from)
      requireRows(linesOf(messages, ref), expectedOf({ ...first, rows }), 'in the second read')
    },
  },
  {
    name: 'tells pending rows as pending',
    lacks: 'pending rows',
    async run(run) {
      run.accounts = run.accounts.map((one, index) =>
        index === 0 ? withRows(one, pendingRow) : one,
      )
      const messages = await run.read(await run.authorize())
      const pending = ofType(messages, 'transaction').filter(
        ({ transaction }) => transaction.status === 'pending',
      )
      require(pending.length === 1, 'the row that is pending at the bank must have that status')
      const ref = pending[0]?.ref
      require(pending[0]?.transaction.amount === pendingRow.amount, 'its amount must be the same')
      const covered = ofType(messages, 'covered').find((one) => one.ref === ref)
      require(covered?.pending === true, '`covered` must say that pending rows were told')
    },
  },
  {
    name: 'tells a pending row as posted once it is',
    lacks: 'pending rows',
    async run(run) {
      const usual = run.accounts
      const more = (row: typeof pendingRow) =>
        usual.map((one, index) => (index === 0 ? withRows(one, row) : one))
      run.accounts = more(pendingRow)
      const secret = await run.authorize()
      const before = await run.read(secret)
      run.accounts = more(postedRow)
      const messages = await run.read(secret, { state: stateOf(before) })
      const [first] = run.accounts
      if (first) requireRows(linesOf(messages, refOf(messages, first)), expectedOf(first), 'then')
    },
  },
  {
    name: 'gives rows the same ids in each read',
    async run(run) {
      const secret = await run.authorize()
      const before = await run.read(secret)
      const again = await run.read(secret, { state: stateOf(before) })
      const idsOf = (messages: readonly Message[]) =>
        ofType(messages, 'transaction')
          .map(({ ref, transaction }) => `${ref} ${transaction.date} ${transaction.id ?? ''}`)
          .sort()
      const [one, other] = [idsOf(before), idsOf(again)]
      require(JSON.stringify(one) === JSON.stringify(other), 'a row had another id or account')
      const ids = one.filter((line) => !line.endsWith(' '))
      require(new Set(ids).size === ids.length, 'two rows of an account have the same id')
    },
  },
  {
    name: 'goes on with other accounts when one fails',
    lacks: 'accounts that fail',
    async run(run) {
      const [first] = run.accounts
      run.accounts = run.accounts.map((one) =>
        one.id === savings.id ? { ...one, fails: true } : one,
      )
      const messages = await run.read(await run.authorize())
      require(ofType(messages, 'issue').length > 0, 'it told no issue')
      if (!first) return
      const ref = refOf(messages, first)
      requireRows(linesOf(messages, ref), expectedOf(first), 'while another account fails')
      const covered = ofType(messages, 'covered').filter((one) => one.ref !== ref)
      require(covered.length === 0, 'it said that it covered days of the account that fails')
    },
  },
  {
    name: 'tells accounts and balances alone when asked for these',
    async run(run) {
      const messages = await run.read(await run.authorize(), { balancesOnly: true })
      for (const account of run.accounts) refOf(messages, account)
      require(ofType(messages, 'balance').length >= run.accounts.length, 'it told no balances')
      const surplus = messages.find(({ type }) => type === 'transaction' || type === 'covered')
      require(surplus === undefined, `it told a ${surplus?.type}`)
    },
  },
]
