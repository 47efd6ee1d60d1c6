import type { Product } from '#contract/closed.ts'
import { type Html, html } from '../html.ts'
import { toForm } from '../layout.ts'
import { stepAfter } from '../step-order.ts'
import type { Step, Visit } from '../visit.ts'
import { selectionOf } from './selection.ts'

/** Asks whether the application may read the user's data. */
export const consent: Step = {
  view: (visit) => {
    const { texts, token } = visit
    const { client_name } = token
    const optional = JSON.parse(token.optional_products) as Product[]
    return {
      title: texts.consent.title(client_name),
      content: html`<p>${texts.consent.asks(client_name)}</p>
${listOf(visit, JSON.parse(token.products) as Product[])}
${optional.length > 0 && html`<p>${texts.consent.optional}</p>${listOf(visit, optional)}`}
<h2>${texts.consent.until}</h2>
<p>${texts.consent.untilEnd(client_name)} ${historyOf(visit)}</p>
${toForm(visit, html`<button>${texts.consent.agree}</button>`)}`,
    }
  },
  answer: ({ token, answers }) => ({
    to: stepAfter(token, 'consent'),
    // A link token with an institution leaves no choice.
    ...(token.institution_id !== null && answers.institution
      ? { events: [selectionOf(answers.institution)] }
      : {}),
  }),
}

const listOf = ({ texts }: Visit, products: readonly Product[]): Html =>
  html`<ul>${products.map((product) => html`<li>${texts.products[product]}</li>`)}</ul>`

function historyOf({ texts, token }: Visit): string {
  const all = [token.products, token.optional_products].flatMap((json) => JSON.parse(json))
  return all.includes('transactions') ? texts.consent.history(token.days_requested) : ''
}
