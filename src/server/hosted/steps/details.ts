import type { AccountKind } from '#contract/closed.ts'
import type { FoundAccount } from '../../sources/connector.ts'
import { readBalance } from '../../sources/read-balance.ts'
import type { AnsweredKind } from '../connection.ts'
import { type Html, html } from '../html.ts'
import { toField, toForm } from '../layout.ts'
import type { Texts } from '../texts/texts.ts'
import type { FieldError, Rejected, Step, View, Visit } from '../visit.ts'
import { choicesOf, lacks } from './after-done.ts'
import { readNotes, toldLine } from './read-notes.ts'

/** The kinds that the page offers: those whose transactions the interface has. */
const kinds = {
  checking: { type: 'depository', subtype: 'checking' },
  savings: { type: 'depository', subtype: 'savings' },
  card: { type: 'credit', subtype: 'credit card' },
  market: { type: 'depository', subtype: 'money market' },
  cash: { type: 'depository', subtype: 'cash management' },
  prepaid: { type: 'depository', subtype: 'prepaid' },
  term: { type: 'depository', subtype: 'cd' },
} as const satisfies Record<keyof Texts['details']['kinds'], AccountKind>

const unshared = 'none'

/** Asks what the source does not tell of accounts. */
export const details: Step = {
  view,
  repeats: () => (name) => /^(?:kind|number|currency|balance)-/.test(name),
  answer(visit, form) {
    const { texts } = visit
    const errors: FieldError[] = []
    const entries = openAccounts(visit).map((account) => {
      const { answered, wrong } = readAnswer(texts, account, form)
      errors.push(...wrong)
      return [account.id, answered] as const
    })
    if (errors.length > 0) return { errors }
    const answers = { ...visit.connection.kinds, ...Object.fromEntries(entries) }
    const connection = { ...visit.connection, kinds: answers }
    if (choicesOf({ ...visit, connection }).length > 0) return { to: 'share', connection }
    const [first] = entries
    return { errors: [{ field: `kind-${first?.[0]}`, text: texts.rejections.noAccounts }] }
  },
}

const openAccounts = ({ connection }: Visit): FoundAccount[] =>
  (connection.done?.accounts ?? []).filter(lacks)

function readAnswer(texts: Texts, account: FoundAccount, form: URLSearchParams) {
  const { id, kind, lacksBalance, lacksNumber, lacksCurrency } = account
  const wrong: FieldError[] = []
  const answered: AnsweredKind = {}
  const given = form.get(`kind-${id}`) ?? ''
  if (kind === null && given !== unshared) {
    const found = Object.hasOwn(kinds, given) ? kinds[given as keyof typeof kinds] : undefined
    if (found) answered.kind = found
    else wrong.push({ field: `kind-${id}`, text: texts.details.noKind })
  }
  if (given === unshared) return { answered, wrong }
  if (lacksNumber) {
    const number = (form.get(`number-${id}`) ?? '').replaceAll(/[\s-]/g, '')
    if (/^[A-Za-z0-9]{4,34}$/.test(number)) answered.number = number.toUpperCase()
    else wrong.push({ field: `number-${id}`, text: texts.details.noNumber })
  }
  if (lacksCurrency) {
    const currency = (form.get(`currency-${id}`) ?? '').trim().toUpperCase()
    if (/^(?!XXX)[A-Z]{3}$/.test(currency)) answered.currency = currency
    else wrong.push({ field: `currency-${id}`, text: texts.details.noCurrency })
  }
  if (!lacksBalance) return { answered, wrong }
  const balance = readBalance(form.get(`balance-${id}`) ?? '')
  if (balance === undefined) wrong.push({ field: `balance-${id}`, text: texts.details.noBalance })
  else answered.balance = balance
  return { answered, wrong }
}

function view(visit: Visit, rejected?: Rejected): View {
  const { texts } = visit
  const open = openAccounts(visit)
  return {
    title: texts.details.title(open.length),
    content: html`${readNotes(visit)}
<p>${texts.details.why}</p>
${toForm(
  visit,
  html`${open.map((account) => questionsOf(visit, account, rejected))}
<button>${texts.shared.continue}</button>`,
)}`,
  }
}

function questionsOf(visit: Visit, account: FoundAccount, rejected: Rejected | undefined): Html {
  const { texts } = visit
  const { id, kind, lacksBalance, lacksNumber, lacksCurrency, currency } = account
  const field = (name: string, more: { label: string; hint: string; autocomplete?: string }) =>
    toField(
      {
        name: `${name}-${id}`,
        type: 'text',
        autocomplete: 'off',
        value: rejected?.form.get(`${name}-${id}`) ?? '',
        ...more,
      },
      rejected?.errors,
    )
  const { balance, balanceHint, number, numberHint, currency: code, currencyHint } = texts.details
  return html`<fieldset class="about">
<legend>${nameOf(texts, account)}</legend>
${toldLine(texts, account)}
${kind === null && kindField(visit, account, rejected)}
${lacksNumber && field('number', { label: number, hint: numberHint })}
${lacksCurrency && field('currency', { label: code, hint: currencyHint })}
${lacksBalance && field('balance', { label: balance(currency), hint: balanceHint })}
</fieldset>`
}

/** What the pages call an account whose kind is not known. */
export function nameOf(texts: Texts, { name, mask }: Pick<FoundAccount, 'name' | 'mask'>): string {
  if (name !== null) return withMask(texts, { name, mask })
  return mask === null ? texts.details.account : texts.details.accountEnding(mask)
}

/** Names that the service makes end with the last digits. */
export const withMask = (
  { accounts }: Texts,
  { name, mask }: { name: string; mask: string | null },
): string => (mask === null || name.includes(mask) ? name : `${name}, ${accounts.ending(mask)}`)

function kindField({ texts, connection }: Visit, { id }: FoundAccount, rejected?: Rejected): Html {
  const field = `kind-${id}`
  const error = rejected?.errors.find((one) => one.field === field)
  const answered = connection.kinds?.[id]?.kind
  const before = Object.entries(kinds).find(([, { subtype }]) => subtype === answered?.subtype)
  const chosen = rejected?.form.get(field) ?? before?.[0]
  const option = (value: string, text: string) =>
    html`<option value="${value}"${value === chosen && html` selected`}>${text}</option>`
  return html`<div class="field">
<label for="${field}">${texts.details.kind}</label>
${error && html`<p class="error" id="${field}-error">${error.text}</p>`}
<select id="${field}" name="${field}"${
    error && html` aria-invalid="true" aria-describedby="${field}-error"`
  }>
<option value="">${texts.details.choose}</option>
${Object.keys(kinds).map((one) => option(one, texts.details.kinds[one as keyof typeof kinds]))}
${option(unshared, texts.details.none)}
</select>
</div>`
}
