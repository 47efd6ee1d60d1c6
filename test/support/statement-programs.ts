import { execFileSync, spawnSync } from 'node:child_process'
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

/** What a program says of a file; a part that it does not tell is undefined. */
export interface Told {
  account?: string | undefined
  /** Each as `2026-01-31 -1.20`, sorted. */
  bookings: readonly string[]
  closing?: string | undefined
}

/** A program that others wrote, and what it says of a file; undefined where it reads nothing. */
export interface Program {
  name: string
  /** The Debian package. */
  source: string
  isHere(): boolean
  /** `kind` is how the program calls the format, or a file of rules for it. */
  read(file: string, kind: string): Told
}

const runs =
  (command: string, ...args: string[]) =>
  (): boolean =>
    spawnSync(command, args, { stdio: 'ignore' }).error === undefined

const output = (command: string, args: readonly string[], env = {}): string =>
  execFileSync(command, args, {
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'ignore'],
    env: { ...process.env, TZ: 'UTC', LC_ALL: 'C.UTF-8', ...env },
  })

const all = (text: string, form: RegExp): string[] =>
  [...text.matchAll(form)].map(([, found = '']) => found)

const booking = (date: string, amount: string): string => `${date} ${Number(amount).toFixed(2)}`
const sorted = (dates: readonly string[], amounts: readonly string[]): string[] =>
  amounts.map((amount, index) => booking(dates[index] ?? '', amount)).sort()

const ofxdump: Program = {
  name: 'ofxdump',
  source: 'ofx',
  isHere: runs('ofxdump', '--version'),
  read(file) {
    const text = output('ofxdump', [file])
    const dates = all(text, /Date posted: (.*)/g).map((date) =>
      new Date(date).toISOString().slice(0, 10),
    )
    const [closing] = all(text, /Ledger balance: (\S+)/g)
    const [account] = all(text, /Account #: (\S+)/g)
    return { account, bookings: sorted(dates, all(text, /Total money amount: (\S+)/g)), closing }
  },
}

const script = `
import json, sys, warnings
warnings.simplefilter('ignore')
from ofxparse import OfxParser
account = OfxParser.parse(open(sys.argv[1], 'rb')).account
rows = [[str(row.date.date()), str(row.amount)] for row in account.statement.transactions]
print(json.dumps([account.account_id, rows, str(account.statement.balance)]))
`
// Debian's own: another Python on the path lacks the package.
const python = '/usr/bin/python3'

const ofxparse: Program = {
  name: 'ofxparse',
  source: 'python3-ofxparse',
  isHere: () => spawnSync(python, ['-c', 'import ofxparse']).status === 0,
  read(file) {
    const [account, rows, closing] = JSON.parse(output(python, ['-c', script, file])) as [
      string,
      [string, string][],
      string,
    ]
    return {
      account,
      bookings: rows.map(([date, amount]) => booking(date, amount)).sort(),
      closing,
    }
  },
}

const aqbanking: Program = {
  name: 'AqBanking',
  source: 'aqbanking-tools',
  isHere: runs('aqbanking-cli', '--help'),
  read(file, kind) {
    const [named = '', ...columns] = kind.split('\n')
    const [importer = '', profile = ''] = named.split(' ')
    const home = `${file}.aqbanking`
    const profiles = join(home, 'imexporters/csv/profiles')
    mkdirSync(profiles, { recursive: true })
    if (columns.length > 0) writeFileSync(join(profiles, `${profile}.conf`), columns.join('\n'))
    const context = join(home, 'context')
    const options = [`--importer=${importer}`, `--profile=${profile}`, '-c', context, '-f', file]
    output('aqbanking-cli', [`--cfgdir=${home}`, '-n', 'import', ...options], { HOME: home })
    const text = decodeURIComponent(output('cat', [context]))
    const rows =
      text
        .split('transactionList {')[1]
        ?.split(/\btransaction \{/)
        .slice(1) ?? []
    const told = rows.map((row) => {
      // Some profiles tell the day as the value date only.
      const [date = ''] = [...all(row, /char date="(\d+)"/g), ...all(row, /valutaDate="(\d+)"/g)]
      const day = date.replace(/(\d{4})(\d\d)(\d\d)/, '$1-$2-$3')
      return booking(day, String(fraction(all(row, /value="([^"]+)"/g)[0])))
    })
    const balances = all(text.split('transactionList {')[0] ?? '', /value="([^"]+)"/g)
    const closing = balances.at(-1)
    return {
      account: all(text, /accountNumber="([^"]+)"/g)[0],
      bookings: told.sort(),
      ...(closing === undefined ? {} : { closing: fraction(closing).toFixed(2) }),
    }
  },
}

/** `-250/100:GBP` as a number. */
function fraction(text = ''): number {
  const [above = Number.NaN, below = 1] = text.replace(/:.*/, '').split('/').map(Number)
  return above / below
}

const xmllint: Program = {
  name: 'xmllint',
  source: 'libxml2-utils',
  isHere: runs('xmllint', '--version'),
  read(file) {
    const at = (path: string) => {
      const names = path.split('/').map((name) => `*[local-name()="${name}"]`)
      const query = `//${names.join('/')}/text()`
      return output('xmllint', ['--xpath', query, file]).trim().split('\n')
    }
    const signs = at('Ntry/CdtDbtInd').map((mark) => (mark === 'DBIT' ? '-' : ''))
    const amounts = at('Ntry/Amt').map((amount, index) => `${signs[index]}${amount}`)
    const [account] = at('Acct/Id/IBAN')
    return {
      account,
      bookings: sorted(at('Ntry/BookgDt/Dt'), amounts),
      closing: at('Bal/Amt').at(-1),
    }
  },
}

const hledger: Program = {
  name: 'hledger',
  source: 'hledger',
  isHere: runs('hledger', '--version'),
  read(file, rules) {
    const named = `${file}.rules`
    writeFileSync(named, rules)
    const args = ['-f', `csv:${file}`, '--rules-file', named, 'register', '^bank', '-O', 'csv']
    const rows = output('hledger', args).trim().split('\n').slice(1)
    const told = rows.map((row) => {
      const [, date = '', , , , amount = ''] = JSON.parse(`[${row}]`) as string[]
      return booking(date, amount.replace(',', '.'))
    })
    return { bookings: told.sort() }
  },
}

export const programs = { ofxdump, ofxparse, aqbanking, xmllint, hledger }

export type ProgramName = keyof typeof programs
