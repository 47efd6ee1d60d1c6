import { html } from '../../html.ts'
import { toForm } from '../../layout.ts'
import { toText } from '../field.ts'
import { withAnswer } from '../person.ts'
import type { VerifyQuestion } from '../visit.ts'

const oldestYears = 120

/** Asks for the day of birth. */
export const birth: VerifyQuestion = {
  repeats: () => true,
  view(visit, rejected) {
    const { texts, drafts } = visit
    const { title, legend, hint, day, month, year } = texts.birth
    const error = rejected?.errors[0]
    const [y, m, d] = drafts.person?.date_of_birth?.split('-') ?? []
    const field = (part: string, label: string, before?: string) =>
      toText(
        {
          name: `bday-${part}`,
          label,
          autocomplete: `bday-${part}`,
          inputmode: 'numeric',
          maxLength: 4,
          isToldAbove: true,
        },
        { rejected, before },
      )
    return {
      title,
      content: toForm(
        visit,
        html`<fieldset>
<legend>${legend}</legend>
<p class="hint">${hint}</p>
${error && html`<p class="error" id="${error.field}-error">${error.text}</p>`}
<div class="parts">${field('day', day, d)}${field('month', month, m)}${field('year', year, y)}</div>
</fieldset>
<button>${texts.shared.continue}</button>`,
      ),
    }
  },
  answer({ ctx, texts, drafts }, form) {
    const [day = '', month = '', year = ''] = ['day', 'month', 'year'].map((part) =>
      (form.get(`bday-${part}`) ?? '').trim(),
    )
    const reject = (text: string, part = 'day') => ({ errors: [{ field: `bday-${part}`, text }] })
    if (day === '' || month === '' || year === '') return reject(texts.birth.missing)
    const date = toDate(year, month, day)
    if (date === undefined) return reject(texts.birth.wrong)
    if (date >= ctx.now.slice(0, 10)) return reject(texts.birth.future, 'year')
    const oldest = Number(ctx.now.slice(0, 4)) - oldestYears
    if (Number(year) < oldest) return reject(texts.birth.old, 'year')
    return { drafts: withAnswer(drafts, { date_of_birth: date }) }
  },
}

/** A day of the calendar in the form of the interface. */
function toDate(year: string, month: string, day: string): string | undefined {
  if (!/^\d{4}$/.test(year) || !/^\d{1,2}$/.test(month) || !/^\d{1,2}$/.test(day)) return undefined
  const text = `${year}-${month.padStart(2, '0')}-${day.padStart(2, '0')}`
  const time = Date.parse(`${text}T00:00:00Z`)
  // The parser moves the 30th of February on to March.
  return !Number.isNaN(time) && new Date(time).toISOString().startsWith(text) ? text : undefined
}
