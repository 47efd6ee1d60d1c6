import { hasControls } from '../control-characters.ts'
import { isDay, isFields, isJson, isText, type Reject } from './fields.ts'

/** A message or a step that breaks the interface of connectors. It names the field, not its value. */
export class BrokenRule extends Error {
  override readonly name = 'BrokenRule'
}

const amountPattern = /^-?\d{1,12}\.\d{2}$/
const amountForm = 'a decimal with two places, such as -12.50'
const dayForm = 'a day such as 2026-03-16'
const refForm = '1 to 1000 characters'

/** How long a state may be, in characters of JSON. */
export const longestState = 256 * 1024

type Check = (message: Fields, reject: Reject) => void
type Fields = Readonly<Record<string, unknown>>

const checks: Readonly<Record<string, Check>> = {
  account({ ref, account }, reject) {
    checkRef(ref, reject)
    if (!isFields(account)) return reject('account', 'an object')
    if (!isText(account['id'], 512) || hasControls(account['id'])) {
      reject('account.id', '1 to 512 characters, none of them a control character')
    }
    if (!isText(account['currency'], 512)) reject('account.currency', 'a code such as USD')
    checkTexts(account, 'account', accountTexts, reject)
    const { opaque } = account
    if (opaque !== undefined && opaque !== 'own' && opaque !== 'shared') {
      reject('account.opaque', "'own', 'shared' or none")
    }
  },
  balance({ ref, balance }, reject) {
    checkRef(ref, reject)
    if (!isFields(balance)) return reject('balance', 'an object')
    if (!['opening', 'closing', 'available'].includes(String(balance['type']))) {
      reject('balance.type', 'opening, closing or available')
    }
    checkAmount(balance, 'balance', reject)
  },
  transaction({ ref, transaction }, reject) {
    checkRef(ref, reject)
    if (!isFields(transaction)) return reject('transaction', 'an object')
    if (transaction['id'] !== undefined && !isText(transaction['id'], 512)) {
      reject('transaction.id', '1 to 512 characters, or none')
    }
    if (!['posted', 'pending'].includes(String(transaction['status']))) {
      reject('transaction.status', 'posted or pending')
    }
    checkAmount(transaction, 'transaction', reject)
    if (
      typeof transaction['description'] !== 'string' ||
      transaction['description'].length > 2000
    ) {
      reject('transaction.description', 'a text of at most 2000 characters')
    }
    checkTexts(transaction, 'transaction', ['counterparty', 'replaces'], reject)
    if (transaction['details'] !== undefined && !isJson(transaction['details'], 16_384)) {
      reject('transaction.details', 'JSON of at most 16 KB')
    }
    const { value_date: valued, references } = transaction
    if (valued !== undefined && !isDay(valued)) reject('transaction.value_date', dayForm)
    if (references !== undefined && !(isFields(references) && areTexts(references))) {
      reject('transaction.references', 'an object of texts')
    }
  },
  removed({ ref, id }, reject) {
    checkRef(ref, reject)
    if (!isText(id, 512)) reject('id', '1 to 512 characters')
  },
  covered({ ref, from, to, pending }, reject) {
    checkRef(ref, reject)
    if (!isDay(from)) reject('from', dayForm)
    if (!isDay(to) || (isDay(from) && to < from)) reject('to', `${dayForm}, not before \`from\``)
    if (typeof pending !== 'boolean') reject('pending', 'true or false')
  },
  issue({ issue }, reject) {
    if (!isFields(issue)) return reject('issue', 'an object')
    if (!['login', 'account', 'row', 'notice'].includes(String(issue['kind']))) {
      reject('issue.kind', 'login, account, row or notice')
    }
    if (typeof issue['message'] !== 'string' || issue['message'].length > 200) {
      reject('issue.message', 'a text of at most 200 characters')
    }
  },
  state({ state }, reject) {
    if (state !== undefined && !isJson(state, longestState))
      reject('state', 'JSON of at most 256 KB')
  },
}

const accountTexts = [
  ...['iban', 'bank_id', 'branch_id', 'type', 'subtype', 'name', 'organization', 'mask', 'epoch'],
]

function checkRef(ref: unknown, reject: Reject): void {
  if (!isText(ref, 1000)) reject('ref', refForm)
}

function checkTexts(value: Fields, path: string, names: readonly string[], reject: Reject): void {
  for (const name of names) {
    const text = value[name]
    if (text === undefined || (typeof text === 'string' && text.length <= 512)) continue
    reject(`${path}.${name}`, 'at most 512 characters, or none')
  }
}

const areTexts = (value: Fields): boolean =>
  Object.values(value).every((one) => typeof one === 'string' && one.length <= 512)

function checkAmount(value: Fields, path: string, reject: Reject): void {
  if (typeof value['amount'] !== 'string' || !amountPattern.test(value['amount'])) {
    reject(`${path}.amount`, amountForm)
  }
  if (!isText(value['currency'], 512)) reject(`${path}.currency`, 'a code such as USD')
  if (!isDay(value['date'])) reject(`${path}.date`, dayForm)
}

/** Lists what is wrong with a message, as `field must be …`. */
export function issuesOfMessage(message: unknown): string[] {
  if (!isFields(message)) return ['a message must be an object']
  const type = String(message['type'])
  const check = Object.hasOwn(checks, type) ? checks[type] : undefined
  if (!check) return [`\`type\` must be one of: ${Object.keys(checks).join(', ')}`]
  const issues: string[] = []
  check(message, (path, expected) => issues.push(`\`${path}\` must be ${expected}`))
  return issues.map((issue) => `${type}: ${issue}`)
}
