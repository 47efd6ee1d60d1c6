import type { SimplefinSettings } from '../../../../generated/institution-list/types.ts'
import type { Ask, FormSchema, Question } from '../../sources/connector.ts'
import { type Html, html } from '../html.ts'
import { isAnyBank } from '../institution-name.ts'
import { toField, toForm } from '../layout.ts'
import type { Texts } from '../texts/texts.ts'
import type { Rejected, View, Visit } from '../visit.ts'
import { columnsForm } from './columns-form.ts'
import { fileForm } from './file-form.ts'
import { resumeView } from './resume-view.ts'

type Institution = Omit<Ask['institution'], 'settings'> & { settings?: unknown }

/** The words of a field of a form. */
export const toFieldTexts = ({ fields }: Texts, name: string): FieldTexts =>
  (fields as Readonly<Record<string, FieldTexts>>)[name] ?? {
    label: name,
    hint: '',
    missing: fields.other.missing,
  }

interface FieldTexts {
  label: string
  hint: string
  missing: string
}

/** What a question of a connector looks like. */
export function questionView(
  visit: Visit,
  question: Question,
  institution: Institution,
  rejected?: Rejected,
): View {
  const { texts, token } = visit
  const isAgain = token.item_id !== null
  const name = isAnyBank(institution) ? '' : institution.name
  if (question.kind === 'columns') {
    return {
      title: texts.columns.title,
      content: columnsForm(visit, question, rejected ?? answeredBefore(visit)),
    }
  }
  if (question.kind === 'resume') return resumeView(visit, question, name)
  const titles = question.kind === 'file' ? texts.file : texts.connect
  const again = question.kind === 'file' ? texts.file.again : texts.login.again
  return {
    title: isAgain ? titles.titleAgain(name) : titles.title(name),
    content: html`${isAgain && html`<p>${again(token.client_name)}</p>`}
${asksToken(question) && html`<p>${texts.simplefin.whatText}</p>`}
${contentOf(visit, question, rejected)}
${explain(visit, question, institution)}`,
  }
}

/** What the form shows to a user who comes back to it. */
function answeredBefore({ connection: { columns } }: Visit): Rejected | undefined {
  if (columns === undefined) return undefined
  return { errors: [], form: new URLSearchParams(columns.map(([name, value]) => [name, value])) }
}

/** What users want to know before they answer. */
function explain({ texts, token }: Visit, question: Question, { settings }: Institution): Html[] {
  const { file, simplefin } = texts
  if (question.kind === 'file') return [note('kept', file.kept, html`<p>${file.keptText}</p>`)]
  if (!asksToken(question)) return []
  const host = websiteOf(settings)
  const link = html`<a href="https://${host}/" target="_blank" rel="noreferrer">${host}</a>`
  const steps = simplefin.steps.map((step) => html`<li>${step}</li>`)
  const website = host !== undefined && html`<li>${simplefin.website(link)}</li>`
  return [
    note('where', simplefin.where, html`<ol>${website}${steps}</ol>`),
    note('reads', simplefin.reads, html`<p>${simplefin.readsText(token.client_name)}</p>`),
  ]
}

const asksToken = (question: Question): boolean =>
  question.kind === 'form' && 'setup_token' in question.schema.properties

/** The first host whose tokens the institution takes. */
function websiteOf(settings: unknown): string | undefined {
  const { hosts: [host] = [] } = (settings ?? {}) as Partial<SimplefinSettings>
  return host
}

const note = (id: string, title: string, content: Html): Html =>
  html`<section class="note" aria-labelledby="${id}"><h2 id="${id}">${title}</h2>${content}</section>`

function contentOf(
  visit: Visit,
  question: Exclude<Question, { kind: 'columns' | 'resume' }>,
  rejected: Rejected | undefined,
): Html {
  const { texts } = visit
  if (question.kind === 'file') return fileForm(visit, question, rejected)
  if (question.kind === 'form') {
    return toForm(
      visit,
      html`${isEmpty(question.schema) && html`<p>${texts.connect.before}</p>`}
${fieldsOf(visit, question.schema, rejected)}
<button${isEmpty(question.schema) && html` id="main"`}>${texts.shared.continue}</button>`,
    )
  }
  if (question.kind === 'wait') {
    const [text, button] = wordsOfWait(texts, question)
    return html`<p>${text}</p>
${toForm(visit, html`<button id="main">${button}</button>`)}`
  }
  // A link, since the policy of the page holds forms to this service.
  return html`<p>${texts.connect.redirect}</p>
<p><a class="button" id="main" href="${question.url}" rel="noreferrer">${texts.connect.goOn}</a></p>`
}

function wordsOfWait(
  { connect, shared }: Texts,
  { isOutage, isSetup }: Extract<Question, { kind: 'wait' }>,
): [text: string, button: string] {
  if (isOutage) return [connect.outage, connect.tryAgain]
  return isSetup ? [connect.setup, shared.continue] : [connect.wait, connect.look]
}

const isEmpty = ({ properties }: FormSchema): boolean => Object.keys(properties).length === 0

const fieldsOf = (
  { texts }: Visit,
  { properties }: FormSchema,
  rejected: Rejected | undefined,
): Html[] =>
  Object.entries(properties).map(([name, { title, description, format, maxLength }]) => {
    const own = toFieldTexts(texts, name)
    const { label, hint } = { label: title ?? own.label, hint: description ?? own.hint }
    const isHidden = format === 'password'
    return toField(
      {
        name,
        label,
        hint,
        type: isHidden ? 'password' : 'text',
        autocomplete: 'off',
        // What is secret is never sent back.
        value: isHidden ? '' : (rejected?.form.get(name) ?? ''),
        maxLength: maxLength ?? 200,
      },
      rejected?.errors,
    )
  })
