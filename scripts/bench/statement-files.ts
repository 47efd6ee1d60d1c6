// Statement files of any length: one account, a hundred bookings a day, no two alike.

export type FileFormat = 'ofx' | 'camt' | 'mt940' | 'csv'

interface Booking {
  id: string
  /** `YYYY-MM-DD`. */
  date: string
  /** In minor units, out of the account. */
  minor: number
  text: string
}

const dayMs = 86_400_000
const first = Date.parse('2023-01-01T00:00:00Z')
const perDay = 100

function* bookings(count: number): Generator<Booking> {
  for (let index = 0; index < count; index += 1) {
    const date = new Date(first + Math.floor(index / perDay) * dayMs).toISOString().slice(0, 10)
    yield { id: `B${index}`, date, minor: 100 + (index % 9000), text: `Harbor Market ${index}` }
  }
}

const decimal = (minor: number): string => (minor / 100).toFixed(2)
const digits = (date: string): string => date.replaceAll('-', '')
const lines = (count: number, line: (booking: Booking) => string): string =>
  [...bookings(count)].map(line).join('\n')
/** What an account of 0.00 holds in the end. */
const sum = (count: number): number =>
  [...bookings(count)].reduce((total, { minor }) => total + minor, 0)
const last = (count: number): string => [...bookings(count)].at(-1)?.date ?? '2023-01-01'

/** The text of a file with so many bookings. */
export const statementFiles: Readonly<Record<FileFormat, (count: number) => string>> = {
  ofx: (count) => `OFXHEADER:100
DATA:OFXSGML
VERSION:102

<OFX><BANKMSGSRSV1><STMTTRNRS><STMTRS><CURDEF>EUR
<BANKACCTFROM><BANKID>37040044<ACCTID>532013000<ACCTTYPE>CHECKING</BANKACCTFROM>
<BANKTRANLIST>
${lines(count, ({ id, date, minor, text }) => `<STMTTRN><TRNTYPE>DEBIT<DTPOSTED>${digits(date)}<TRNAMT>-${decimal(minor)}<FITID>${id}<NAME>${text}</STMTTRN>`)}
</BANKTRANLIST><LEDGERBAL><BALAMT>-${decimal(sum(count))}<DTASOF>${digits(last(count))}</LEDGERBAL>
</STMTRS></STMTTRNRS></BANKMSGSRSV1></OFX>
`,
  camt: (count) => `<?xml version="1.0" encoding="UTF-8"?>
<Document xmlns="urn:iso:std:iso:20022:tech:xsd:camt.053.001.08"><BkToCstmrStmt><Stmt>
<Acct><Id><IBAN>DE89370400440532013000</IBAN></Id><Ccy>EUR</Ccy></Acct>
${lines(count, ({ id, date, minor, text }) => `<Ntry><Amt Ccy="EUR">${decimal(minor)}</Amt><CdtDbtInd>DBIT</CdtDbtInd><Sts><Cd>BOOK</Cd></Sts><BookgDt><Dt>${date}</Dt></BookgDt><AcctSvcrRef>${id}</AcctSvcrRef><NtryDtls><TxDtls><RmtInf><Ustrd>${text}</Ustrd></RmtInf></TxDtls></NtryDtls></Ntry>`)}
</Stmt></BkToCstmrStmt></Document>
`,
  mt940: (count) => `:20:STATEMENT
:25:37040044/532013000
:28C:1/1
:60F:C230101EUR0,00
${lines(count, ({ id, date, minor, text }) => `:61:${digits(date).slice(2)}${digits(date).slice(4)}D${decimal(minor).replace('.', ',')}NMSCNONREF//${id}\n:86:105?20${text}`)}
:62F:D${digits(last(count)).slice(2)}EUR${decimal(sum(count)).replace('.', ',')}
-
`,
  csv: (count) => `Date,Description,Amount
${lines(count, ({ date, minor, text }) => `${date},${text},-${decimal(minor)}`)}
`,
}
