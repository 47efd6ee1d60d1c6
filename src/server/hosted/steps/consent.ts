import type { Product } from '#contract/closed.ts'
import { type Html, html } from '../html.ts'
import { toForm } from '../layout.ts'
import { toReturn } from '../message-page.ts'
import { stepAfter } from '../step-order.ts'
import type { Step, View, Visit } from '../visit.ts'
import { isAnyOffered } from './offered.ts'
import { selectionOf } from './selection.ts'

/** Asks whether the application may read the user's data. */
export const consent: Step = {
  async view(visit) {
    const { texts, token } = visit
    const { client_name } = token
    // Nobody is asked for a consent that leads to nothing.
    if (!(await isAnyOffered(visit))) return impossible(visit)
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
  async answer(visit) {
    const { token, answers } = visit
    return {
      to: (await isAnyOffered(visit)) ? stepAfter(token, 'consent') : 'consent',
      // A link token with an institution leaves no choice.
      ...(token.institution_id !== null && answers.institution
        ? { events: [selectionOf(answers.institution)] }
        : {}),
    }
  },
}

const impossible = (visit: Visit): View => {
  const { token, texts } = visit
  const { title, asks, text } = texts.impossible
  return {
    isEnd: true,
    title,
    content: html`<p>${asks(token.client_name)}</p>
${listOf(visit, JSON.parse(token.products) as Product[])}
<p>${text}</p>
${toReturn(token, texts)}`,
  }
}

const listOf = ({ texts }: Visit, products: readonly Product[]): Html =>
  html`<ul>${products.map((product) => html`<li>${texts.products[product]}</li>`)}</ul>`

function historyOf({ texts, token }: Visit): string {
  const all = [token.products, token.optional_products].flatMap((json) => JSON.parse(json))
  return all.includes('transactions') ? texts.consent.history(token.days_requested) : ''
}
