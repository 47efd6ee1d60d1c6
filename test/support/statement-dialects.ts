import type { ReadOptions } from '../../src/statements/read-statement.ts'
import { csvDialects } from './csv-files.ts'
import { type BankStatement, writers } from './statement-files.ts'
import type { ProgramName } from './statement-programs.ts'

/** A dialect of a format, and the programs that can be asked for a second opinion. */
export interface Dialect {
  format: string
  name: string
  write(statement: BankStatement): string | Uint8Array
  options?: ReadOptions
  /** By program: how it calls the format, or its rules. */
  readers: Partial<Record<ProgramName, string>>
  /** Where a program does not say what we say, and why. */
  disagreements?: Partial<Record<ProgramName, string>>
}

const writerOf = (name: string) => writers.find((writer) => writer.name === name)!.write
const [ofx1, ofx2] = [writerOf('OFX 1.x'), writerOf('OFX 2.x')]
const [camt2, camt8] = [writerOf('CAMT.053 version 2'), writerOf('CAMT.053 version 8')]
const mt940 = writerOf('MT940')

const ofxReaders = { ofxdump: '', ofxparse: '', aqbanking: 'ofx default' }
const camtReaders = { aqbanking: 'xml camt_053_001_04', xmllint: '' }

const toReport = (text: string): string =>
  text
    .replaceAll('camt.053.', 'camt.052.')
    .replaceAll('BkToCstmrStmt', 'BkToCstmrAcctRpt')
    .replaceAll(/(<\/?)Stmt>/g, '$1Rpt>')

/** The same bookings during the day: no balances, and a currency of its own. */
const toMt942 = (text: string, currency: string): string =>
  text.replace(/:60F:.*\r\n/, `:34F:${currency}0,\r\n:13:2601311200\r\n`).replace(/:62F:.*\r\n/, '')

const columns = 'date-format %Y-%m-%d\naccount1 bank\n'

/** The rules by which hledger reads our dialects, in their order. */
const rules = [
  `skip 1\nfields date,payee,memo,amount,held,unit,code\n${columns}`,
  'separator ;\nskip 2\ndecimal-mark ,\nfields date,payee,memo,amount-out,amount-in,unit,code\n' +
    'date-format %d.%m.%y\naccount1 bank\nif Summe\n skip\n',
  'separator TAB\nfields date,payee,memo,size,sign,unit,code\ndate-format %-m/%-d/%Y\n' +
    'account1 bank\namount -%size\nif %sign CRDT\n amount %size\n',
  'separator |\nskip 1\nfields card,unit,date,payee,memo,charge,code\n' +
    'date-format %d %b %Y 12:30\naccount1 bank\namount -%charge\n',
]

/** The profile by which AqBanking reads our first dialect, after the name of its importer. */
const profile = `csv own
char name="own"
char import="1"
char type="csv"
char groupNames="transaction", "line"
char dateFormat="YYYY-MM-DD"
int utc="0"
params {
  int ignoreLines="0"
  quote="1"
  title="1"
  delimiter=","
  columns {
    1="date"
    2="remoteName[0]"
    3="purpose[0]"
    4="value/value"
    6="value/currency"
  }
}`

const csvReasons: Record<string, string> = {
  'CSV, a column for each direction': 'reads UTF-8 only',
  'CSV of a card': 'reads no minus sign after the digits',
}

export const dialects: readonly Dialect[] = [
  {
    format: 'OFX',
    name: '1.x',
    write: ofx1,
    readers: ofxReaders,
    disagreements: { ofxparse: 'reads CHARSET:NONE as the name of a code page' },
  },
  {
    format: 'OFX',
    name: '1.x in Windows-1252',
    write: (all) => ofx1(all).replace('CHARSET:NONE', 'CHARSET:1252'),
    readers: ofxReaders,
  },
  { format: 'OFX', name: '2.x', write: ofx2, readers: ofxReaders },
  { format: 'CAMT', name: '053 version 2', write: camt2, readers: camtReaders },
  { format: 'CAMT', name: '053 version 8', write: camt8, readers: camtReaders },
  {
    format: 'CAMT',
    name: '052 version 2',
    write: (all) => toReport(camt2(all)),
    readers: { aqbanking: 'xml camt_052_001_02', xmllint: '' },
  },
  { format: 'MT', name: '940', write: mt940, readers: { aqbanking: 'swift SWIFT-MT940' } },
  {
    format: 'MT',
    name: '942',
    write: (all) => toMt942(mt940(all), all.currency),
    readers: { aqbanking: 'swift SWIFT-MT942' },
  },
  ...csvDialects.map(({ name, write, options }, index): Dialect => {
    const reason = csvReasons[name]
    return {
      format: 'CSV',
      name: name.replace(/^CSV,? /, ''),
      write,
      options,
      readers: { hledger: rules[index] ?? '', ...(index === 0 ? { aqbanking: profile } : {}) },
      ...(reason ? { disagreements: { hledger: reason } } : {}),
    }
  }),
  {
    format: 'CSV',
    name: 'a column for each direction, in UTF-8',
    write: (all) => Buffer.from(csvDialects[1]!.write(all)).toString('latin1'),
    options: { mapping: { ...csvDialects[1]!.options.mapping, encoding: 'utf-8' } },
    readers: { hledger: rules[1] ?? '' },
    disagreements: {
      hledger: 'reverses the sign of a negative amount in the column for money out',
    },
  },
]
