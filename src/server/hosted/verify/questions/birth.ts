import { html } from '../../html.ts'
import { toForm } from '../../layout.ts'
import type { FieldError } from '../../visit.ts'
import { toText } from '../field.ts'
import { withAnswer } from '../person.ts'
import type { VerifyQuestion, Visit } from '../visit.ts'

const oldestYears = 120

const parts = ['day', 'month', 'year'] as const
type Part = (typeof parts)[number]

/** Asks for the day of birth. */
export const birth: VerifyQuestion = {
  repeats: () => true,
  view(visit, rejected) {
    const { texts, drafts } = visit
    const { title, legend, hint } = texts.birth
    const [year, month, day] = drafts.person?.date_of_birth?.split('-') ?? []
    const before = { day, month, year }
    const field = (part: Part) =>
      toText(
        {
          name: `bday-${part}`,
          label: texts.birth[part],
          autocomplete: `bday-${part}`,
          inputmode: 'numeric',
          maxLength: 20,
          isToldAbove: true,
        },
        { rejected, before: before[part] },
      )
    const errors = rejected?.errors ?? []
    return {
      title,
      content: toForm(
        visit,
        html`<fieldset>
<legend>${legend}</legend>
<p class="hint">${hint}</p>
${errors.map((error) => html`<p class="error" id="${error.field}-error">${error.text}</p>`)}
<div class="parts">${parts.map(field)}</div>
</fieldset>
<button>${texts.shared.continue}</button>`,
      ),
    }
  },
  answer({ ctx, texts, drafts }, form) {
    const given = (part: Part) => (form.get(`bday-${part}`) ?? '').trim()
    const typed = { day: given('day'), month: given('month'), year: given('year') }
    const errors = findErrors(texts.birth, typed, ctx.now.slice(0, 10))
    return errors.length > 0
      ? { errors }
      : { drafts: withAnswer(drafts, { date_of_birth: toDate(typed) }) }
  },
}

type Typed = Record<Part, string>

/** What is wrong, by the part that has to be changed. */
function findErrors(texts: Visit['texts']['birth'], typed: Typed, today: string): FieldError[] {
  const reject = (part: Part, text: string) => [{ field: `bday-${part}`, text }]
  if (parts.every((part) => typed[part] === '')) return reject('day', texts.missing)
  const wrong = parts.filter((part) => !isPart[part](typed[part]))
  if (wrong.length > 0) return wrong.flatMap((part) => reject(part, texts.wrong[part]))
  const date = toDate(typed)
  if (!isDay(date)) return reject('day', texts.noDay)
  if (date >= today) return reject('year', texts.future)
  const oldest = Number(today.slice(0, 4)) - oldestYears
  return Number(typed.year) < oldest ? reject('year', texts.old) : []
}

const isPart: Record<Part, (text: string) => boolean> = {
  day: (text) => isNumberTo(31, text),
  month: (text) => isNumberTo(12, text),
  year: (text) => /^\d{4}$/.test(text),
}

const isNumberTo = (most: number, text: string): boolean =>
  /^\d{1,2}$/.test(text) && Number(text) >= 1 && Number(text) <= most

/** A date in the form of the interface. */
const toDate = ({ day, month, year }: Typed): string =>
  `${year}-${month.padStart(2, '0')}-${day.padStart(2, '0')}`

/** Whether the calendar has a day: the parser moves the 30th of February on to March. */
function isDay(date: string): boolean {
  const time = Date.parse(`${date}T00:00:00Z`)
  return !Number.isNaN(time) && new Date(time).toISOString().startsWith(date)
}
