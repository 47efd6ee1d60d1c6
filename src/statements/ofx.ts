import { ofxTokenizer } from './ofx-tokens.ts'
import type { Emit, SourceAccount, SourceBalance, StatementParser } from './statement.ts'
import {
  dayOrNothing,
  InvalidValue,
  leadingDate,
  plainText,
  readOrTell,
  toAmount,
  withValues,
} from './values.ts'

/** The elements that hold a statement: of a bank account, a card, an investment account. */
const statements = new Set(['STMTRS', 'CCSTMTRS', 'INVSTMTRS'])
const accounts = new Set(['BANKACCTFROM', 'CCACCTFROM', 'INVACCTFROM'])
const rows = new Set(['STMTTRN', 'STMTTRNP'])
const balances = new Map<string, SourceBalance['type']>([
  ['LEDGERBAL', 'closing'],
  ['AVAILBAL', 'available'],
])
/** Elements in a row that hold values of their own. */
const parts = new Set(['PAYEE', 'CURRENCY', 'ORIGCURRENCY', 'BANKACCTTO', 'CCACCTTO'])
/** What an investment account buys and sells: read by no column of ours yet. */
const trades =
  /^(BUY|SELL)(DEBT|MF|OPT|OTHER|STOCK)$|^(INCOME|REINVEST|INVEXPENSE|JRNLFUND|JRNLSEC|MARGININTEREST|RETOFCAP|SPLIT|TRANSFER|CLOSUREOPT)$/

type Fields = Record<string, string>

/** Reads OFX 1.x, 2.x and QFX. */
export function ofxParser(emit: Emit): StatementParser {
  const state = readerState(emit)
  const tokens = ofxTokenizer(state)
  return {
    write: tokens.write,
    end: () => state.end(tokens.end()),
  }
}

/** Follows the elements: one is collected at a time, with the values of the elements in it. */
function readerState(emit: Emit) {
  let account: SourceAccount | undefined
  let currency = ''
  /** Accounts are also listed outside of statements. */
  let isIn = false
  let open: { name: string; line: number; fields: Fields } | undefined
  let part = ''
  let isComplete = false

  const finish = (): void => {
    if (!open) return
    const { name, fields, line } = open
    open = undefined
    readOrTell(emit, line, () => {
      if (accounts.has(name)) {
        account = toAccount(name, fields, currency)
        emit({ kind: 'statement', account })
      } else if (!account) {
        throw new InvalidValue('MISSING_VALUE', `${name} stands before the account it is of`)
      } else if (rows.has(name)) {
        const transaction = toTransaction(name, fields, account.currency)
        emit({ kind: 'transaction', transaction, line })
      } else if (name === 'BANKTRANLIST') emit({ kind: 'period', period: toPeriod(fields) })
      else if (fields['BALAMT'] !== undefined) {
        emit({ kind: 'balance', balance: toBalance(name, fields, account.currency) })
      }
    })
  }
  const begins = (name: string): boolean =>
    accounts.has(name) || rows.has(name) || balances.has(name) || name === 'BANKTRANLIST'

  return {
    open(name: string, text: string, line: number): void {
      if (statements.has(name)) [account, currency, isIn] = [undefined, '', true]
      else if (name === 'CURDEF') currency = text
      else if (trades.test(name)) {
        const message = `${name} is a trade, and trades are not read`
        emit({ kind: 'issue', issue: { line, code: 'UNSUPPORTED_TRANSACTION', message } })
      } else if (name === 'SEVERITY' && text.toUpperCase() === 'ERROR') {
        const message = 'the bank reports an error: a statement or bookings may be missing'
        emit({ kind: 'issue', issue: { line, code: 'REPORTED_BY_BANK', message } })
      } else if (isIn && begins(name)) {
        // An element that the bank never closed ends where the next of its kind begins.
        finish()
        open = { name, line, fields: {} }
        part = ''
      } else if (parts.has(name)) part = `${name}.`
      else if (open && text !== '') open.fields[part + name] ??= text
    },
    close(name: string): void {
      if (name === 'OFX') isComplete = true
      if (name === open?.name || name === 'BANKTRANLIST' || statements.has(name)) finish()
      if (statements.has(name)) isIn = false
      if (parts.has(name)) part = ''
    },
    end(line: number): void {
      if (isComplete) return
      // What is being read may lack its last digits.
      open = undefined
      const message = 'the file ends in the middle: </OFX> is missing'
      emit({ kind: 'issue', issue: { line, code: 'UNEXPECTED_END', message } })
    },
  }
}

function toAccount(name: string, fields: Fields, currency: string): SourceAccount {
  const { ACCTID: id, BANKID, BRANCHID, BROKERID } = fields
  // The account of a card has no type of its own.
  const type = fields['ACCTTYPE'] ?? (name === 'CCACCTFROM' ? 'CREDITCARD' : undefined)
  if (!id) throw new InvalidValue('MISSING_VALUE', 'ACCTID, the number of the account, is missing')
  if (!currency) throw new InvalidValue('MISSING_VALUE', 'CURDEF, the currency, is missing')
  const bank = BANKID ?? BROKERID
  return { id, ...withValues({ bank_id: bank, branch_id: BRANCHID, type }), currency }
}

function toTransaction(name: string, fields: Fields, currency: string) {
  const isPending = name === 'STMTTRNP'
  const posted = fields['DTPOSTED'] ?? fields['DTTRAN']
  if (fields['TRNAMT'] === undefined) {
    throw new InvalidValue('MISSING_VALUE', 'TRNAMT, the amount, is missing')
  }
  if (posted === undefined) throw new InvalidValue('MISSING_VALUE', 'DTPOSTED is missing')
  const counterparty = fields['NAME'] ?? fields['PAYEE.NAME'] ?? fields['EXTDNAME']
  const description = plainText(counterparty, fields['MEMO'])
  const references = withValues({
    check_number: fields['CHECKNUM'],
    reference: fields['REFNUM'],
    type: fields['TRNTYPE'],
    mcc: fields['SIC'],
    transaction_date: dayOrNothing(fields['DTUSER'], 'DTUSER'),
    corrects: fields['CORRECTFITID'],
    correction: fields['CORRECTACTION'],
    counterparty_account: fields['BANKACCTTO.ACCTID'] ?? fields['CCACCTTO.ACCTID'],
  })
  const value = fields['DTAVAIL']
  return {
    ...withValues({ id: fields['FITID'] }),
    status: isPending ? ('pending' as const) : ('posted' as const),
    amount: toAmount(fields['TRNAMT'], 'TRNAMT'),
    // `ORIGCURRENCY` only tells what the amount was before the bank changed it.
    currency: fields['CURRENCY.CURSYM'] ?? currency,
    date: leadingDate(posted, 'DTPOSTED'),
    ...(value === undefined ? {} : { value_date: leadingDate(value, 'DTAVAIL') }),
    description: description || (fields['TRNTYPE'] ?? ''),
    ...withValues({ counterparty: plainText(counterparty) }),
    ...(references ? { references } : {}),
  }
}

function toPeriod({ DTSTART, DTEND }: Fields) {
  return {
    ...(DTSTART === undefined ? {} : { from: leadingDate(DTSTART, 'DTSTART') }),
    ...(DTEND === undefined ? {} : { to: leadingDate(DTEND, 'DTEND') }),
  }
}

function toBalance(name: string, fields: Fields, currency: string): SourceBalance {
  const { BALAMT, DTASOF } = fields
  if (DTASOF === undefined) throw new InvalidValue('MISSING_VALUE', 'DTASOF is missing')
  const amount = toAmount(BALAMT ?? '', 'BALAMT')
  return {
    type: balances.get(name) ?? 'closing',
    amount,
    currency,
    date: leadingDate(DTASOF, 'DTASOF'),
  }
}
