import type { Institution } from '#contract/closed.ts'
import { fileInstitutionId } from '../../../institution-list/built-in.ts'
import type { InstitutionRow } from '../../institutions/store.ts'
import { type Html, html } from '../html.ts'
import { institutionHint, institutionName, isAnyBank } from '../institution-name.ts'
import { toForm } from '../layout.ts'
import { stepAfter } from '../step-order.ts'
import type { Texts } from '../texts/texts.ts'
import type { FieldError, Rejected, Step, View, Visit } from '../visit.ts'
import { findOffered, searchOffered } from './offered.ts'
import { selectionOf } from './selection.ts'

const longestQuery = 100

/** Asks for the institution. */
export const institution: Step = {
  view,
  async answer(visit, form) {
    const { texts } = visit
    const row = await findOffered(visit, form.get('institution_id') ?? '')
    if (!row) return { errors: [{ field: 'q', text: texts.institution.missing }] }
    if (!canConnect(visit, row)) return { errors: [{ field: 'q', text: texts.institution.cannot }] }
    const chosen = { institution_id: row.institution_id, name: row.name }
    const isOther = visit.answers.institution?.institution_id !== chosen.institution_id
    return {
      to: stepAfter(visit.token, 'institution'),
      answers: { institution: chosen },
      ...(isOther ? { connection: {} } : {}),
      events: [selectionOf(chosen)],
    }
  },
}

/** Whether the service has what the institution is served by. */
const canConnect = ({ ways }: Visit, { connector }: InstitutionRow): boolean =>
  ways.invented !== undefined || (connector !== null && Object.hasOwn(ways.connectors, connector))

async function view(visit: Visit, rejected?: Rejected): Promise<View> {
  const { texts, query } = visit
  const text = (query.get('q') ?? '').trim().slice(0, longestQuery)
  const found = (await searchOffered(visit, text)).filter((one) => !isAnyBank(one))
  const words = text === '' ? texts.institution.first : texts.institution.found(found.length)
  const nothing = text === '' ? texts.institution.nothing : texts.institution.none
  return {
    title: texts.institution.title,
    content: html`<form method="get" action="${visit.address}" role="search" class="search">
<label for="q">${texts.institution.label}</label>
${errorOf(rejected?.errors)}
<input id="q" name="q" type="search" value="${text}" maxlength="${longestQuery}" autocomplete="off"
spellcheck="false"${rejected && html` aria-invalid="true" aria-describedby="q-error"`}>
<button>${texts.institution.search}</button>
</form>
${found.length === 0 ? html`<p>${nothing}</p>` : html`<h2>${words}</h2>${toChoices(visit, found)}`}
${await fileChoice(visit)}`,
  }
}

const toChoices = (visit: Visit, found: readonly Institution[]): Html =>
  toForm(visit, html`<ul class="plain">${found.map((one) => toChoice(visit.texts, one))}</ul>`)

/** The way for everybody whose bank is not on the list, whatever was searched. */
async function fileChoice(visit: Visit): Promise<Html | undefined> {
  const { institution: words } = visit.texts
  const row = await findOffered(visit, fileInstitutionId)
  if (!row || !canConnect(visit, row)) return undefined
  return html`<h2>${words.notHere}</h2>
<p class="hint">${words.notHereText}</p>
${toForm(visit, toButton(visit.texts, { ...row, logo: null, url: null }))}`
}

const errorOf = (errors: readonly FieldError[] = []): readonly Html[] =>
  errors.map(({ text }) => html`<p class="error" id="q-error">${text}</p>`)

const toChoice = (texts: Texts, institution: Institution): Html =>
  html`<li>${toButton(texts, institution)}</li>`

type Shown = Pick<Institution, 'institution_id' | 'name'> & {
  logo?: string | null | undefined
  url?: string | null | undefined
}

function toButton(texts: Texts, institution: Shown): Html {
  const { institution_id, logo, url } = institution
  const name = institutionName(texts, institution)
  const hint = institutionHint(texts, institution) ?? (url ? hostOf(url) : undefined)
  return html`<button class="choice" name="institution_id" value="${institution_id}">
${logo ? html`<img src="data:image/png;base64,${logo}" alt="" width="40" height="40">` : initialOf(name)}
<span>${name}${hint && html`<small>${hint}</small>`}</span>
</button>`
}

const initialOf = (name: string): Html =>
  html`<span class="initial" aria-hidden="true">${[...name][0]?.toUpperCase()}</span>`

const hostOf = (url: string): string => (URL.canParse(url) ? new URL(url).hostname : '')
