import { accountName } from '../account-name.ts'
import { type Html, html } from '../html.ts'
import { toForm } from '../layout.ts'
import type { Texts } from '../texts/texts.ts'
import type { Rejected, Step, View, Visit } from '../visit.ts'
import { choicesOf, completedOf } from './after-done.ts'
import { linkAccounts } from './link-accounts.ts'
import { readNotes, toldLine } from './read-notes.ts'
import { saidBy } from './said-by.ts'

/** Shows what the source has, and asks which accounts the user shares. */
export const share: Step = {
  view,
  answer(visit, form) {
    const offered = choicesOf(visit)
    const wanted = form.getAll('account')
    const chosen = offered.flatMap(({ kind, ...account }) =>
      kind && (account.isKnown || wanted.includes(account.id)) ? [{ ...account, kind }] : [],
    )
    const [first] = offered.filter(({ isKnown }) => !isKnown)
    if (chosen.length === 0 && first) {
      return { errors: [{ field: `account-${first.id}`, text: visit.texts.accounts.none }] }
    }
    return linkAccounts(visit, chosen)
  },
}

function view(visit: Visit, rejected?: Rejected): View {
  const { texts, token } = visit
  const offered = choicesOf(visit)
  const isAgain = token.item_id !== null
  const hasNew = offered.some(({ isKnown }) => !isKnown)
  const known = texts.share[visit.connection.done?.connector === 'file' ? 'inFile' : 'atSource']
  const title = hasNew ? texts.accounts.title : known.title
  const intro = hasNew ? texts.accounts.intro(token.client_name) : known.intro
  return {
    title,
    content: html`${readNotes(visit)}${saidBy(texts, visit.connection.done?.said)}
<p id="intro">${intro}</p>
${toForm(
  visit,
  html`<fieldset aria-describedby="intro${rejected && ' account-error'}">
<legend class="hidden">${title}</legend>
${rejected?.errors.map(({ text }) => html`<p class="error" id="account-error">${text}</p>`)}
<ul class="plain">${offered.map((account) => toChoice(texts, account, offered.length === 1))}</ul>
</fieldset>
${leftOut(visit)}
<button>${isAgain ? texts.share.submitAgain : texts.accounts.submit}</button>`,
)}`,
  }
}

type Completed = ReturnType<typeof completedOf>[number]

function toChoice(texts: Texts, account: Completed, isOnly: boolean): Html {
  const { id, kind, isKnown } = account
  const about = html`<span><strong>${accountName(texts, account)}</strong>
<small>${kind && texts.accountTypes[kind.type]}</small>${toldLine(texts, account)}
${isKnown && html`<small>${texts.share.known}</small>`}</span>`
  if (isKnown) return html`<li><div class="account">${about}</div></li>`
  return html`<li><label class="account" for="account-${id}">
<input id="account-${id}" type="checkbox" name="account" value="${id}"${isOnly && html` checked`}>
${about}
</label></li>`
}

/** The accounts that cannot be chosen, and why. */
function leftOut(visit: Visit): Html | undefined {
  const { texts } = visit
  const offered = new Set(choicesOf(visit).map(({ id }) => id))
  const others = completedOf(visit).filter(({ id }) => !offered.has(id))
  if (others.length === 0) return undefined
  const reasonOf = ({ barrier, kind }: Completed): string => {
    if (barrier !== undefined) return texts.barriers[barrier]
    return kind === null ? texts.share.notShared : texts.share.notAsked
  }
  return html`<section class="note" aria-labelledby="others">
<h2 id="others">${texts.share.others}</h2>
<ul>${others.map((one) => html`<li>${accountName(texts, one)}: ${reasonOf(one)}</li>`)}</ul>
</section>`
}
