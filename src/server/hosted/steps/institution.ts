import type { CountryCode, Institution, Product } from '#contract/closed.ts'
import { createDirectories } from '../../institutions/directory-cache.ts'
import { textsOf } from '../../institutions/institution-texts.ts'
import { requireListedIn, supportsAll } from '../../institutions/require-institution.ts'
import { maximumFound } from '../../institutions/search-store.ts'
import type { InstitutionRow } from '../../institutions/store.ts'
import { ApiError } from '../../kernel/errors.ts'
import { type Html, html } from '../html.ts'
import { institutionName } from '../institution-name.ts'
import { toForm } from '../layout.ts'
import { stepAfter } from '../step-order.ts'
import type { Texts } from '../texts/texts.ts'
import type { FieldError, Rejected, Step, View, Visit } from '../visit.ts'
import { selectionOf } from './selection.ts'

const longestQuery = 100

/** Asks for the institution. */
export const institution: Step = {
  view,
  async answer(visit, form) {
    const { texts } = visit
    const row = await findChosen(visit, form.get('institution_id') ?? '')
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
  const found = await search(visit, text === '' ? undefined : text)
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
${
  found.length === 0
    ? html`<p>${nothing}</p>`
    : html`<h2>${words}</h2>${toForm(
        visit,
        html`<ul class="plain">${found.map((one) => toChoice(texts, one))}</ul>`,
      )}`
}`,
  }
}

const errorOf = (errors: readonly FieldError[] = []): readonly Html[] =>
  errors.map(({ text }) => html`<p class="error" id="q-error">${text}</p>`)

async function search({ ctx, token }: Visit, text: string | undefined): Promise<Institution[]> {
  const filter = {
    countryCodes: JSON.parse(token.country_codes) as CountryCode[],
    products: JSON.parse(token.products) as Product[],
    oauth: undefined,
  }
  const texts = textsOf({ optional: true, auth: false, paymentInitiation: false })
  const directories = ctx.singleton(createDirectories)
  const found = await directories.search(ctx, text, filter, maximumFound, texts)
  return found.map((json) => JSON.parse(json) as Institution)
}

function toChoice(texts: Texts, institution: Institution): Html {
  const { institution_id, logo, url } = institution
  const name = institutionName(texts, institution)
  return html`<li><button class="choice" name="institution_id" value="${institution_id}">
${logo ? html`<img src="data:image/png;base64,${logo}" alt="" width="40" height="40">` : initialOf(name)}
<span>${name}${url && html`<small>${hostOf(url)}</small>`}</span>
</button></li>`
}

const initialOf = (name: string): Html =>
  html`<span class="initial" aria-hidden="true">${[...name][0]?.toUpperCase()}</span>`

const hostOf = (url: string): string => (URL.canParse(url) ? new URL(url).hostname : '')

async function findChosen({ ctx, token }: Visit, id: string): Promise<InstitutionRow | undefined> {
  // No database stores this sign, and PostgreSQL rejects it.
  if (id === '' || id.includes('\0')) return undefined
  const countries = JSON.parse(token.country_codes) as CountryCode[]
  const row = await requireListedIn(ctx, id, countries).catch((error: unknown) => {
    if (error instanceof ApiError) return undefined
    throw error
  })
  return row && supportsAll(row, JSON.parse(token.products) as Product[]) ? row : undefined
}
