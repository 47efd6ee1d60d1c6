import { toDescription } from './mt940-description.ts'
import { century, toTransaction } from './mt940-line.ts'
import {
  type Emit,
  NoStatement,
  type SourceBalance,
  type SourceTransaction,
  type StatementParser,
} from './statement.ts'
import {
  InvalidValue,
  negate,
  plainText,
  readOrTell,
  toAmount,
  toDate,
  withValues,
} from './values.ts'

/** A field of the message, with the lines that follow its tag. */
interface Field {
  tag: string
  lines: string[]
  line: number
}

/** The tags of the interface's balances. Those ending in M stand between the pages of a statement. */
const balances: Readonly<Record<string, SourceBalance['type']>> = {
  '60F': 'opening',
  '62F': 'closing',
  '64': 'available',
}

/** Reads MT940 and MT942, with the envelope of SWIFT or without. */
export function mt940Parser(emit: Emit): StatementParser {
  let rest = ''
  let line = 0
  let field: Field | undefined
  const message = messageReader(emit)

  const finish = (): void => {
    if (!field) return
    const done = field
    field = undefined
    readOrTell(emit, done.line, () => message.take(done), `:${done.tag}: `)
  }
  const takeLine = (written: string): void => {
    line += 1
    const text = written.replace(/\r$/, '').replace(/^.*?\{4:\s*/, '')
    const [, tag, value = ''] = /^:(\d{2}[A-Z]?):(.*)$/.exec(text) ?? []
    if (tag !== undefined) {
      finish()
      field = { tag, lines: [value], line }
    } else if (/^-\}?|^\{/.test(text)) {
      finish()
      message.close(line)
    } else if (text.trim() !== '') field?.lines.push(text)
  }

  return {
    write(text) {
      const lines = (rest + text).split('\n')
      rest = lines.pop() ?? ''
      for (const each of lines) takeLine(each)
    },
    end() {
      const isBalance = /^:62/.test(rest)
      if (rest !== '') takeLine(rest)
      finish()
      message.close(line)
      if (!isBalance) return
      const told = 'the closing balance has no line end, so it may have lost its last digits'
      emit({ kind: 'issue', issue: { line, code: 'UNFINISHED_LINE', message: told } })
    },
  }
}

/** Puts the fields of a message together: a booking is told when its description is known. */
function messageReader(emit: Emit) {
  let account: { id: string; bank_id?: string } | undefined
  let currency: string | undefined
  let isTold = false
  /** What a whole statement still has to have; an MT942 has no balances. */
  let lacking: string | undefined
  let row: { transaction: SourceTransaction; line: number } | undefined

  const tellStatement = (given: string, intraday: { isIntraday?: true } = {}): void => {
    currency = given
    if (!account) throw new InvalidValue('MISSING_VALUE', 'stands before :25:, the account')
    if (isTold) return
    isTold = true
    const iban = /^[A-Z]{2}\d{2}[A-Z0-9]{11,30}$/.test(account.id) ? account.id : undefined
    const told = { ...account, ...withValues({ iban }), currency }
    emit({ kind: 'statement', account: told, ...intraday })
  }
  const tellRow = (): void => {
    if (row) emit({ kind: 'transaction', ...row })
    row = undefined
  }
  const close = (line: number): void => {
    tellRow()
    const message = `the statement ends in the middle: ${lacking} is missing`
    if (lacking) emit({ kind: 'issue', issue: { line, code: 'UNEXPECTED_END', message } })
    ;[account, currency, isTold, lacking] = [undefined, undefined, false, undefined]
  }
  const begin = (line: number): void => {
    close(line)
    lacking = ':60F:, the opening balance,'
  }

  return {
    close,
    take({ tag, lines, line }: Field): void {
      if (tag === '86' && row) {
        const told = toDescription(lines)
        const references = { ...row.transaction.references, ...told.references }
        row.transaction = {
          ...row.transaction,
          ...told,
          description: told.description || row.transaction.description,
          ...(Object.keys(references).length > 0 ? { references } : {}),
        }
        return
      }
      tellRow()
      const value = plainText(...lines)
      if (tag === '20') begin(line)
      else if (tag.startsWith('25')) account = toAccount(value)
      else if (tag === '34F') {
        // The floor limit, which only an MT942 has.
        tellStatement(toCurrency(value), { isIntraday: true })
        lacking = undefined
      } else if (/^(6[0-5][FM]?)$/.test(tag) && tag !== '61') {
        const balance = toBalance(balances[tag] ?? 'closing', value, currency)
        if (tag.startsWith('60')) tellStatement(balance.currency)
        if (tag in balances) emit({ kind: 'balance', balance })
        if (tag < '63') lacking = tag.startsWith('60') ? ':62F:, the closing balance,' : undefined
      } else if (tag === '61') {
        if (!currency) throw new InvalidValue('MISSING_VALUE', 'stands before :60F:, the currency')
        row = { transaction: toTransaction(lines, currency), line }
      }
    },
  }
}

function toAccount(value: string): { id: string; bank_id?: string } {
  if (value === '') throw new InvalidValue('MISSING_VALUE', 'must name the account')
  // The currency of the account may follow its number.
  const [number = '', after] = value.split(/\s+/)
  const [bank, id] = number.includes('/') ? number.split('/', 2) : [undefined, number]
  if (after !== undefined && !/^[A-Z]{3}$/.test(after)) return { id: value }
  return { ...withValues({ bank_id: bank }), id: id || value }
}

function toCurrency(value: string): string {
  const [currency] = /^[A-Z]{3}/.exec(value) ?? []
  if (!currency) throw new InvalidValue('INVALID_VALUE', 'must start with a currency')
  return currency
}

/** Some banks leave out the currency, which stands in the opening balance. */
function toBalance(
  type: SourceBalance['type'],
  value: string,
  known: string | undefined,
): SourceBalance {
  const found = /^([CD])(\d{2})(\d{2})(\d{2})([A-Z]{3})?([\d,.]+)$/.exec(value)
  if (!found) {
    throw new InvalidValue('INVALID_VALUE', 'must be C or D, a date, a currency and an amount')
  }
  const [, mark, year = '', month = '', day = '', currency = known, amount = ''] = found
  if (currency === undefined) throw new InvalidValue('MISSING_VALUE', 'must have a currency')
  return {
    type,
    amount: mark === 'D' ? negate(toAmount(amount)) : toAmount(amount),
    currency,
    date: toDate(century(year), month, day),
  }
}

/** Whether text is the start of an MT940 or MT942. */
export const looksLikeMt940 = (text: string): boolean =>
  /^\s*(\{1:F|:20:)/.test(text) || /^:20:.*[\s\S]*^:(60F|60M|34F|61):/m.test(text)

export function refuseOtherMessages(text: string): void {
  const [, type] = /\{2:[IO](\d{3})/.exec(text) ?? []
  if (type !== undefined && type !== '940' && type !== '942') {
    throw new NoStatement(`a SWIFT message ${type} is no statement; MT940 or MT942 is expected`)
  }
}
