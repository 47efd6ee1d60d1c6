import { SaxesParser } from 'saxes'
import { toEntryRows } from './camt-entry.ts'
import { toOwner } from './camt-owner.ts'
import { child, type Element, textAt } from './elements.ts'
import {
  type Emit,
  NoStatement,
  type SourceAccount,
  type SourceBalance,
  type StatementParser,
} from './statement.ts'
import { InvalidValue, leadingDate, negate, readOrTell, toAmount, withValues } from './values.ts'

/** A report of bookings: of a day or longer (053), or of the day so far (052). */
const reports = new Set(['Stmt', 'Rpt'])
/** What is read as a whole when it ends. */
const parts = new Set(['Acct', 'Bal', 'Ntry', 'FrToDt'])

type Types = Readonly<Record<string, SourceBalance['type']>>

const balances: Types = { OPBD: 'opening', PRCD: 'opening', CLBD: 'closing', CLAV: 'available' }
/** Of a report of the day so far. In a statement they stand between its pages. */
const interimBalances: Types = { ITBD: 'closing', ITAV: 'available' }

/** Reads CAMT.053 and CAMT.052 of any version, as a stream: only one entry is held at a time. */
export function camtParser(emit: Emit): StatementParser {
  const parser = new SaxesParser({ position: true })
  /** The names of the elements that are open, outside of what is collected. */
  const path: string[] = []
  /** The part that is being collected, and the elements that are open in it. */
  const open: Element[] = []
  const report = reportReader(emit)
  let isComplete = false
  let isBroken = false

  parser.on('doctype', () => {
    throw new NoStatement(`line ${parser.line}: a document type is not read; CAMT has none`)
  })
  parser.on('opentag', ({ name: qualified, attributes }) => {
    const name = localName(qualified)
    if (path.length === 1 && open.length === 0) refuseOthers(name, parser.line)
    const inReport = reports.has(path.at(-1) ?? '')
    if (open.length === 0 && !(inReport && parts.has(name))) {
      path.push(name)
      if (reports.has(name)) report.begin(parser.line, name === 'Rpt')
      return
    }
    const values = attributes as Record<string, string>
    const element: Element = { name, attributes: values, text: '', children: [], line: parser.line }
    open.at(-1)?.children.push(element)
    open.push(element)
  })
  const addText = (text: string): void => {
    const element = open.at(-1)
    if (element) element.text += text
  }
  parser.on('text', addText)
  parser.on('cdata', addText)
  parser.on('closetag', ({ name }) => {
    const closed = open.pop()
    if (closed && open.length === 0) report.take(closed)
    if (closed) return
    path.pop()
    if (localName(name) === 'Document') isComplete = true
    if (reports.has(localName(name))) report.end()
  })
  parser.on('error', (error) => {
    throw new BrokenXml(parser.line, error.message.replace(/^\S*\d+:\d+:\s*/, ''))
  })
  const guarded = (work: () => void): void => {
    if (isBroken) return
    try {
      work()
    } catch (error) {
      if (!(error instanceof BrokenXml)) throw error
      isBroken = true
      const code = isComplete ? 'INVALID_VALUE' : 'UNEXPECTED_END'
      emit({ kind: 'issue', issue: { line: error.line, code, message: error.message } })
    }
  }
  return {
    write: (text) => guarded(() => parser.write(text)),
    end: () => guarded(() => parser.close()),
  }
}

/** Puts the parts of a report together: its account is told when its currency is known. */
function reportReader(emit: Emit) {
  let account: SourceAccount | undefined
  let period: { from?: string; to?: string } | undefined
  let currency: string | undefined
  let line = 0
  let isInterim = false
  /** By type: the interim balances of a report that has told no other one yet. */
  const interim = new Map<SourceBalance['type'], SourceBalance>()
  const told = new Set<SourceBalance['type']>()

  /** `given` is the currency of the first amount, for accounts that name none. */
  const tellAccount = (given?: string): string => {
    if (!account) throw new InvalidValue('MISSING_VALUE', 'the statement names no account')
    if (currency !== undefined) return currency
    const found = account.currency || given
    if (found === undefined) {
      throw new InvalidValue('MISSING_VALUE', 'neither the account nor an amount has a currency')
    }
    currency = found
    emit({
      kind: 'statement',
      account: { ...account, currency },
      ...(isInterim ? { isIntraday: true } : {}),
    })
    if (period) emit({ kind: 'period', period })
    return currency
  }
  const read = (part: Element): void => {
    if (part.name === 'Acct') account = toAccount(part)
    else if (part.name === 'FrToDt') period = toPeriod(part)
    else {
      const known = tellAccount(child(part, 'Amt')?.attributes['Ccy'])
      if (part.name === 'Bal') {
        const balance = toBalance(part, balances)
        if (balance) {
          told.add(balance.type)
          emit({ kind: 'balance', balance })
        }
        const soFar = isInterim ? toBalance(part, interimBalances) : undefined
        if (soFar) interim.set(soFar.type, { ...soFar, interim: true })
        return
      }
      for (const transaction of toEntryRows(part, known, emit)) {
        emit({ kind: 'transaction', transaction, line: part.line })
      }
    }
  }
  return {
    begin(at: number, ofDay: boolean): void {
      ;[account, period, currency, line] = [undefined, undefined, undefined, at]
      isInterim = ofDay
      interim.clear()
      told.clear()
    },
    take: (part: Element): void => readOrTell(emit, part.line, () => read(part)),
    end(): void {
      readOrTell(emit, line, tellAccount)
      for (const balance of interim.values()) {
        if (!told.has(balance.type)) emit({ kind: 'balance', balance })
      }
    },
  }
}

/** XML that goes no further. */
class BrokenXml extends Error {
  override readonly name = 'BrokenXml'

  readonly line: number

  constructor(line: number, message: string) {
    super(`the XML cannot be read from here: ${message.replace(/\.$/, '')}`)
    this.line = line
  }
}

const localName = (name: string): string => name.slice(name.indexOf(':') + 1)

function refuseOthers(name: string, line: number): void {
  if (name === 'BkToCstmrStmt' || name === 'BkToCstmrAcctRpt') return
  if (name === 'BkToCstmrDbtCdtNtfctn') {
    throw new NoStatement(
      `line ${line}: a CAMT.054 repeats bookings of a statement; read the CAMT.053 that has them`,
    )
  }
  throw new NoStatement(`line ${line}: ${name} is no bank statement; CAMT.053 is expected`)
}

function toAccount(account: Element) {
  const iban = textAt(account, 'Id', 'IBAN')
  const id = iban ?? textAt(account, 'Id', 'Othr', 'Id')
  if (id === undefined) {
    throw new InvalidValue('MISSING_VALUE', 'the account has neither an IBAN nor another id')
  }
  const owner = toOwner(child(account, 'Ownr'))
  const servicer = child(child(account, 'Svcr'), 'FinInstnId')
  return {
    id,
    ...withValues({
      iban,
      bank_id:
        textAt(servicer, 'BICFI') ??
        textAt(servicer, 'BIC') ??
        textAt(servicer, 'ClrSysMmbId', 'MmbId'),
      type: textAt(account, 'Tp', 'Cd') ?? textAt(account, 'Tp', 'Prtry'),
    }),
    currency: textAt(account, 'Ccy') ?? '',
    ...(owner ? { owners: [owner] } : {}),
  }
}

function toPeriod(part: Element) {
  const [from, to] = [
    textAt(part, 'FrDtTm') ?? textAt(part, 'FrDt'),
    textAt(part, 'ToDtTm') ?? textAt(part, 'ToDt'),
  ]
  return {
    ...(from === undefined ? {} : { from: leadingDate(from, 'FrDtTm') }),
    ...(to === undefined ? {} : { to: leadingDate(to, 'ToDtTm') }),
  }
}

function toBalance(part: Element, types: Types): SourceBalance | undefined {
  const type = types[textAt(part, 'Tp', 'CdOrPrtry', 'Cd') ?? '']
  if (!type) return undefined
  const amount = child(part, 'Amt')
  if (!amount) throw new InvalidValue('MISSING_VALUE', 'the balance has no Amt')
  const date = textAt(part, 'Dt', 'Dt') ?? textAt(part, 'Dt', 'DtTm')
  if (date === undefined) throw new InvalidValue('MISSING_VALUE', 'the balance has no Dt')
  const value = toAmount(amount.text, 'Amt')
  return {
    type,
    amount: textAt(part, 'CdtDbtInd') === 'DBIT' ? negate(value) : value,
    currency: amount.attributes['Ccy'] ?? '',
    date: leadingDate(date, 'Dt'),
  }
}
