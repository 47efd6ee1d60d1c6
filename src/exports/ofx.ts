import { createHash } from 'node:crypto'
import { toDecimal } from '../server/kernel/money.ts'
import { type ExportedAccount, type ExportWriter, isDebt } from './exported.ts'

// OFX 2.2: the message sets of a sign-on, of bank statements and of card statements.

const header = `<?xml version="1.0" encoding="UTF-8"?>
<?OFX OFXHEADER="200" VERSION="220" SECURITY="NONE" OLDFILEUID="NONE" NEWFILEUID="NONE"?>
`
const status = '<STATUS><CODE>0</CODE><SEVERITY>INFO</SEVERITY></STATUS>'

/** The type of a bank account, by subtype; otherwise by type. */
const accountTypes: Readonly<Record<string, string>> = {
  savings: 'SAVINGS',
  'money market': 'MONEYMRKT',
  cd: 'CD',
  loan: 'CREDITLINE',
}

/** NAME has at most this many characters; the rest goes to MEMO. */
const longestName = 32

/** ACCTID and BANKID have at most so many. */
const longestAccountId = 22
const longestBankId = 9

/** An id that is too long as one that is always the same, and that no other id has. */
const shortened = (id: string, most: number): string =>
  id.length <= most ? id : createHash('sha256').update(id).digest('hex').slice(0, most)

/** The beginning of a text. Half of a character is no XML. */
const cut = (text: string, most: number): string => [...text].slice(0, most).join('')

const isCard = ({ type }: ExportedAccount): boolean => type === 'credit'

/** A file has one message set for bank accounts, and then one for cards. */
export const inMessageSets = (accounts: readonly ExportedAccount[]): ExportedAccount[] =>
  accounts.toSorted((one, other) => Number(isCard(one)) - Number(isCard(other)))

/**
 * Writes OFX of accounts in the order of `inMessageSets`. `bankId` names the institution, and `now` is
 * `YYYY-MM-DDTHH:MM:SSZ`. Pending
 * transactions have no place in a list of posted ones, and must be left out.
 */
export function ofxWriter({ bankId, now }: { bankId: string; now: string }): ExportWriter {
  let count = 0
  let open: 'BANK' | 'CREDITCARD' | undefined
  const close = (): string => (open ? `</${open}MSGSRSV1>\n` : '')
  const openFor = (account: ExportedAccount): string => {
    const needed = isCard(account) ? 'CREDITCARD' : 'BANK'
    if (needed === open) return ''
    const closed = close()
    open = needed
    return `${closed}<${needed}MSGSRSV1>\n`
  }
  return {
    begin: () =>
      `${header}<OFX>\n<SIGNONMSGSRSV1><SONRS>${status}<DTSERVER>${toTime(now)}</DTSERVER><LANGUAGE>ENG</LANGUAGE></SONRS></SIGNONMSGSRSV1>\n`,
    beginAccount(account) {
      count += 1
      const [prefix, from] = isCard(account) ? ['CC', 'CCACCTFROM'] : ['', 'BANKACCTFROM']
      const day = toDay(account.balance_date)
      return [
        `${openFor(account)}<${prefix}STMTTRNRS><TRNUID>${count}</TRNUID>${status}`,
        `<${prefix}STMTRS><CURDEF>${account.iso_currency_code ?? 'XXX'}</CURDEF>`,
        `<${from}>${numbersOf(account, bankId)}</${from}>`,
        `<BANKTRANLIST><DTSTART>${account.from ? toDay(account.from) : day}</DTSTART><DTEND>${account.to ? toDay(account.to) : day}</DTEND>`,
        '',
      ].join('\n')
    },
    transaction({ transaction_id, date, authorized_date, amount, check_number, ...texts }) {
      const text = texts.original_description ?? texts.name
      const payee = texts.merchant_name ?? texts.name
      const name = cut(clean(payee), longestName)
      return [
        `<STMTTRN><TRNTYPE>${amount < 0 ? 'DEBIT' : 'CREDIT'}</TRNTYPE>`,
        `<DTPOSTED>${toDay(date)}</DTPOSTED>`,
        authorized_date ? `<DTUSER>${toDay(authorized_date)}</DTUSER>` : '',
        `<TRNAMT>${toDecimal(amount)}</TRNAMT><FITID>${escaped(transaction_id)}</FITID>`,
        check_number ? `<CHECKNUM>${escaped(cut(check_number, 12))}</CHECKNUM>` : '',
        `<NAME>${escaped(name)}</NAME>`,
        clean(text) === name ? '' : `<MEMO>${escaped(cut(clean(text), 255))}</MEMO>`,
        '</STMTTRN>\n',
      ].join('')
    },
    endAccount(account) {
      const prefix = isCard(account) ? 'CC' : ''
      const as = `<DTASOF>${toDay(account.balance_date)}</DTASOF>`
      const { current, available } = account
      const balance = toDecimal(isDebt(account) ? -current : current)
      return [
        '</BANKTRANLIST>',
        `<LEDGERBAL><BALAMT>${balance}</BALAMT>${as}</LEDGERBAL>`,
        available === null
          ? ''
          : `<AVAILBAL><BALAMT>${toDecimal(available)}</BALAMT>${as}</AVAILBAL>`,
        `</${prefix}STMTRS></${prefix}STMTTRNRS>\n`,
      ]
        .filter((line) => line !== '')
        .join('\n')
    },
    end: () => `${close()}</OFX>\n`,
  }
}

function numbersOf(account: ExportedAccount, bankId: string): string {
  const id = `<ACCTID>${escaped(shortened(account.account_id, longestAccountId))}</ACCTID>`
  if (isCard(account)) return id
  const type = accountTypes[account.subtype ?? ''] ?? accountTypes[account.type] ?? 'CHECKING'
  return `<BANKID>${escaped(shortened(bankId, longestBankId))}</BANKID>${id}<ACCTTYPE>${type}</ACCTTYPE>`
}

const toDay = (date: string): string => date.replaceAll('-', '')
const toTime = (time: string): string => time.slice(0, 19).replaceAll(/\D/g, '')

// biome-ignore lint/suspicious/noControlCharactersInRegex: XML 1.0 has no other control characters.
const controls = /[\u0000-\u001F\u007F\uFFFE\uFFFF]+/g

/** One line, as OFX has it. */
const clean = (text: string): string => text.replaceAll(controls, ' ').trim()

const entities: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;' }
const escaped = (text: string): string => text.replaceAll(/[&<>]/g, (mark) => entities[mark] ?? '')
