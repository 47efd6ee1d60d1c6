import type { SourceTransaction } from '../../src/statements/statement.ts'

/** What a bank would put into a file: bookings of one account with its balances. */
export interface BankStatement {
  account: { iban: string; bank: string; number: string }
  currency: string
  opening: { amount: string; date: string }
  closing: { amount: string; date: string }
  bookings: readonly BankBooking[]
  /** Whether it is a report of the day so far, for formats that have one. It tells no balances. */
  isIntraday?: boolean
}

export interface BankBooking
  extends Pick<SourceTransaction, 'amount' | 'date' | 'description' | 'counterparty'> {
  /** Empty where the bank gives none. */
  id: string
  /** Told by reports of the day so far. */
  isPending?: boolean
  end_to_end_id?: string
}

/** A writer of a bank's file, and which of its facts the format can hold. */
export interface Writer {
  name: string
  write(statement: BankStatement): string
  /** Whether bookings carry the bank's own id. */
  hasIds: boolean
}

const escaped = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')
const digits = (date: string): string => date.replaceAll('-', '')
const unsigned = (amount: string): string => amount.replace('-', '')
const isOut = (amount: string): boolean => amount.startsWith('-')

const ofxHeader = `OFXHEADER:100\r
DATA:OFXSGML\r
VERSION:102\r
ENCODING:USASCII\r
CHARSET:NONE\r
\r
`

const leaf = (name: string, value: string | undefined) =>
  value ? `<${name}>${escaped(value)}</${name}>` : ''

function ofxBody(statement: BankStatement, close: (name: string) => string): string {
  const leaf = (name: string, value: string) => `<${name}>${escaped(value)}${close(name)}\r\n`
  const rows = statement.bookings.map(
    (row) =>
      `<STMTTRN>${leaf('TRNTYPE', isOut(row.amount) ? 'DEBIT' : 'CREDIT')}` +
      leaf('DTPOSTED', `${digits(row.date)}120000[-5:EST]`) +
      leaf('TRNAMT', row.amount) +
      leaf('FITID', row.id) +
      leaf('NAME', row.counterparty ?? '') +
      `${leaf('MEMO', row.description)}</STMTTRN>\r\n`,
  )
  const { account, currency, opening, closing } = statement
  const status = `<STATUS>${leaf('CODE', '0')}${leaf('SEVERITY', 'INFO')}</STATUS>\r\n`
  return `<OFX><SIGNONMSGSRSV1><SONRS>${status}${leaf('DTSERVER', digits(closing.date))}${leaf('LANGUAGE', 'ENG')}</SONRS></SIGNONMSGSRSV1>
<BANKMSGSRSV1><STMTTRNRS>${leaf('TRNUID', '0')}${status}<STMTRS>${leaf('CURDEF', currency)}
<BANKACCTFROM>${leaf('BANKID', account.bank)}${leaf('ACCTID', account.number)}${leaf('ACCTTYPE', 'CHECKING')}</BANKACCTFROM>
<BANKTRANLIST>${leaf('DTSTART', digits(opening.date))}${leaf('DTEND', digits(closing.date))}${rows.join('')}</BANKTRANLIST>
<LEDGERBAL>${leaf('BALAMT', closing.amount)}${leaf('DTASOF', digits(closing.date))}</LEDGERBAL>
</STMTRS></STMTTRNRS></BANKMSGSRSV1></OFX>
`
}

function toCamt(version: '02' | '08') {
  const party = (name: string) =>
    version === '08' ? `<Pty><Nm>${escaped(name)}</Nm></Pty>` : `<Nm>${escaped(name)}</Nm>`
  const status = ({ isPending }: BankBooking) => {
    const code = isPending ? 'PDNG' : 'BOOK'
    return version === '08' ? `<Sts><Cd>${code}</Cd></Sts>` : `<Sts>${code}</Sts>`
  }
  const direction = (amount: string) => `<CdtDbtInd>${isOut(amount) ? 'DBIT' : 'CRDT'}</CdtDbtInd>`
  return (statement: BankStatement): string => {
    const { account, currency, opening, closing, bookings, isIntraday = false } = statement
    const [report, part, number] = isIntraday
      ? ['BkToCstmrAcctRpt', 'Rpt', '052']
      : ['BkToCstmrStmt', 'Stmt', '053']
    const amount = (value: string) =>
      `<Amt Ccy="${currency}">${unsigned(value)}</Amt>${direction(value)}`
    const balance = (code: string, { amount: value, date }: { amount: string; date: string }) =>
      `<Bal><Tp><CdOrPrtry><Cd>${code}</Cd></CdOrPrtry></Tp>${amount(value)}<Dt><Dt>${date}</Dt></Dt></Bal>`
    const rows = bookings.map((row) => {
      const role = isOut(row.amount) ? 'Cdtr' : 'Dbtr'
      const parties = row.counterparty
        ? `<RltdPties><${role}>${party(row.counterparty)}</${role}></RltdPties>`
        : ''
      return (
        `<Ntry>${amount(row.amount)}${status(row)}<BookgDt><Dt>${row.date}</Dt></BookgDt>` +
        `${leaf('AcctSvcrRef', row.id)}<NtryDtls><TxDtls>` +
        `<Refs>${leaf('EndToEndId', row.end_to_end_id)}</Refs>${parties}` +
        `<RmtInf><Ustrd>${escaped(row.description)}</Ustrd></RmtInf></TxDtls></NtryDtls></Ntry>\n`
      )
    })
    return `<?xml version="1.0" encoding="UTF-8"?>
<Document xmlns="urn:iso:std:iso:20022:tech:xsd:camt.${number}.001.${version}"><${report}><${part}>
<FrToDt><FrDtTm>${opening.date}T00:00:00</FrDtTm><ToDtTm>${closing.date}T23:59:59</ToDtTm></FrToDt>
<Acct><Id><IBAN>${account.iban}</IBAN></Id><Ccy>${currency}</Ccy></Acct>
${isIntraday ? '' : balance('OPBD', opening) + balance('CLBD', closing)}
${rows.join('')}</${part}></${report}></Document>
`
  }
}

function toMt940({
  account,
  currency,
  opening,
  closing,
  bookings,
  isIntraday,
}: BankStatement): string {
  const short = (date: string) => digits(date).slice(2)
  const decimal = (amount: string) => unsigned(amount).replace('.', ',')
  const mark = (amount: string) => (isOut(amount) ? 'D' : 'C')
  const balance = (tag: string, { amount, date }: { amount: string; date: string }) =>
    `:${tag}:${mark(amount)}${short(date)}${currency}${decimal(amount)}\r\n`
  const rows = bookings.map((row) => {
    const text = row.description.match(/.{1,27}/g) ?? []
    const fields = text.map((part, index) => `?${20 + index}${part}`).join('')
    const head = `:61:${short(row.date)}${digits(row.date).slice(4)}${row.isPending ? 'E' : ''}${mark(row.amount)}${decimal(row.amount)}NMSCNONREF${row.id === '' ? '' : `//${row.id}`}\r\n`
    return `${head}:86:105${fields}${row.counterparty ? `?32${row.counterparty}` : ''}\r\n`
  })
  return `:20:STATEMENT\r
:25:${account.bank}/${account.number}\r
:28C:1/1\r
${isIntraday ? `:34F:${currency}0,\r\n` : balance('60F', opening)}${rows.join('')}${isIntraday ? '' : balance('62F', closing)}-\r
`
}

export const writers: readonly Writer[] = [
  { name: 'OFX 1.x', hasIds: true, write: (all) => ofxHeader + ofxBody(all, () => '') },
  {
    name: 'OFX 2.x',
    hasIds: true,
    write: (all) =>
      `<?xml version="1.0" encoding="UTF-8"?>\n<?OFX OFXHEADER="200" VERSION="211"?>\n${ofxBody(all, (name) => `</${name}>`)}`,
  },
  { name: 'CAMT.053 version 2', hasIds: true, write: toCamt('02') },
  { name: 'CAMT.053 version 8', hasIds: true, write: toCamt('08') },
  { name: 'MT940', hasIds: false, write: toMt940 },
]
