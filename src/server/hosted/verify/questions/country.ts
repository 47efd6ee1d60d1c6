import { isCountry } from '../../../kernel/countries.ts'
import { html } from '../../html.ts'
import { toForm } from '../../layout.ts'
import { countriesIn } from '../countries.ts'
import { toSelect } from '../field.ts'
import { withAnswer } from '../person.ts'
import type { VerifyQuestion } from '../visit.ts'

const field = 'country'

/** Asks for the country, on which further questions depend. */
export const country: VerifyQuestion = {
  view(visit, rejected) {
    const { texts, drafts } = visit
    const { title, label, choose } = texts.country
    const select = toSelect(
      {
        name: field,
        label,
        empty: choose,
        autocomplete: 'country',
        choices: countriesIn(texts.code),
        chosen: drafts.person?.country,
      },
      rejected,
    )
    return {
      title,
      content: toForm(visit, html`${select}<button>${texts.shared.continue}</button>`),
    }
  },
  answer({ texts, drafts }, form) {
    const chosen = form.get(field) ?? ''
    if (!isCountry(chosen)) return { errors: [{ field, text: texts.country.missing }] }
    return { drafts: withAnswer(drafts, { country: chosen }) }
  },
}
