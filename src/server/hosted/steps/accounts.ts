import { findClientWebhook } from '../../clients/store.ts'
import { type Html, html } from '../html.ts'
import type { AccountChoice } from '../invented-logins.ts'
import { toForm } from '../layout.ts'
import type { Rejected, Step, View, Visit } from '../visit.ts'
import { choiceOf, inventedOf } from './choice-of.ts'

/** Asks which accounts the user shares. */
export const accounts: Step = {
  view,
  async answer(visit, form) {
    const { ctx, token, texts } = visit
    const invented = inventedOf(visit)
    const choice = choiceOf(visit)
    const offered = await invented.listAccounts(ctx, token, choice)
    const wanted = form.getAll('account')
    const places = offered.flatMap(({ place }) => (wanted.includes(String(place)) ? [place] : []))
    const [first] = offered
    if (places.length === 0 && first) {
      return { errors: [{ field: idOf(first), text: texts.accounts.none }] }
    }
    const webhook = token.webhook ?? (await findClientWebhook(ctx))
    return { results: await invented.link(ctx, token, { ...choice, accounts: places, webhook }) }
  },
}

async function view(visit: Visit, rejected?: Rejected): Promise<View> {
  const { ctx, token, texts } = visit
  const invented = inventedOf(visit)
  const offered = await invented.listAccounts(ctx, token, choiceOf(visit))
  const { title } = texts.accounts
  return {
    title,
    content: html`<p id="intro">${texts.accounts.intro(token.client_name)}</p>
${toForm(
  visit,
  html`<fieldset aria-describedby="intro${rejected && ' account-error'}">
<legend class="hidden">${title}</legend>
${rejected?.errors.map(({ text }) => html`<p class="error" id="account-error">${text}</p>`)}
<ul class="plain">${offered.map((account) => toCheckbox(visit, account, offered.length === 1))}</ul>
</fieldset>
<button>${texts.accounts.submit}</button>`,
)}`,
  }
}

const idOf = ({ place }: AccountChoice): string => `account-${place}`

function toCheckbox({ texts }: Visit, account: AccountChoice, isOnly: boolean): Html {
  const { name, mask, type, place } = account
  const ending = mask === null ? '' : `, ${texts.accounts.ending(mask)}`
  return html`<li><label class="account" for="${idOf(account)}">
<input id="${idOf(account)}" type="checkbox" name="account" value="${place}"${isOnly && html` checked`}>
<span><strong>${name}</strong> <small>${texts.accountTypes[type]}${ending}</small></span>
</label></li>`
}
