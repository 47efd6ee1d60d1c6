import { hostedLinkPath } from '../../link/hosted-page.ts'
import { toMapping } from '../../sources/column-answers.ts'
import {
  type Ask,
  type Input,
  type Question,
  RejectedAnswer,
  type Step as Result,
} from '../../sources/connector.ts'
import { readFor, writeFor } from '../as-client.ts'
import { type Asking, askingStep, findAsking } from '../asking.ts'
import { findConnected, isBusy } from '../connection.ts'
import { html } from '../html.ts'
import { typedOf } from '../kept-rejection.ts'
import { toButton } from '../message-page.ts'
import type { FieldError, Later, Outcome, Settle, Step, View, Visit } from '../visit.ts'
import { afterDone } from './after-done.ts'
import { afterLogin } from './after-login.ts'
import { questionView, toFieldTexts } from './question-view.ts'
import { toRejection } from './rejection.ts'

/** Asks what the connector of the institution asks. */
export const connect: Step = {
  async view(visit, rejected): Promise<View> {
    if (isBusy(visit)) return busyView(visit)
    const { question, institution } = await findQuestion(visit)
    return questionView(visit, question, institution, rejected)
  },
  async repeats(visit) {
    const { question } = await findQuestion(visit)
    if (question.kind !== 'form') return () => ['file', 'columns'].includes(question.kind)
    const { properties } = question.schema
    return (name) => Object.hasOwn(properties, name) && properties[name]?.format !== 'password'
  },
  async answer(visit, form) {
    const asked = await findQuestion(visit)
    const { question, authorizer, institution } = asked
    if (question.kind === 'columns' && form.has('another')) return { to: 'connect', connection: {} }
    if (question.kind === 'resume' && form.has('another')) {
      return { to: 'connect', connection: { question: authorizer.first(institution) } }
    }
    const errors = missingIn(visit, question, form)
    return errors.length > 0 ? { errors } : { later: toLater(visit, asked, form) }
  },
}

const busyView = ({ texts, address }: Visit): View => ({
  title: texts.busyAnswer.title,
  content: html`<p>${texts.busyAnswer.text}</p>${toButton(address, texts.busyAnswer.look)}`,
})

interface Asked extends Asking {
  question: Question
}

async function findQuestion(visit: Visit): Promise<Asked> {
  const asking = await findAsking(visit)
  const { authorizer, institution } = asking
  const { item_id } = visit.token
  const open = visit.connection.question
  const resumed =
    open ?? (item_id === null ? undefined : await authorizer.resume?.(visit.ctx, item_id))
  return { ...asking, question: resumed ?? authorizer.first(institution) }
}

function missingIn({ texts, file }: Visit, question: Question, form: URLSearchParams) {
  const errors: FieldError[] = []
  if (question.kind === 'file' && (!file || file.name === '')) {
    errors.push({ field: 'file', text: texts.file.missing })
  }
  if (question.kind === 'columns') {
    const answered = toMapping(question.table, Object.fromEntries(form))
    if ('mapping' in answered) return []
    return answered.wrong.map(([field, wrong]) => ({ field, text: texts.columns.wrong[wrong] }))
  }
  if (question.kind !== 'form') return errors
  for (const field of question.schema.required) {
    if ((form.get(field) ?? '').trim() !== '') continue
    errors.push({ field, text: toFieldTexts(texts, field).missing })
  }
  return errors
}

function toLater(visit: Visit, asked: Asked, form: URLSearchParams): Later {
  const { ctx, token, file, session } = visit
  const { authorizer, institution, question } = asked
  const input: Input = { fields: fieldsOf(question, form), ...(file ? { file } : {}) }
  const clientId = ctx.client.client_id
  // It names the session, whose cookie the browser brings back, and cannot be guessed.
  const state = `${session.link_session_id}.${ctx.newId('page_key')}`
  const back = { address: `${ctx.publicUrl}${hostedLinkPath}/return`, state }
  return {
    // A file, and what is staged of one, can be read twice.
    isOnce: question.kind !== 'file' && question.kind !== 'columns',
    async work(service): Promise<Settle> {
      const ask: Ask = {
        service,
        clientId,
        institution,
        itemId: token.item_id,
        daysRequested: token.days_requested,
        back,
        read: (work) => readFor(service, clientId, work),
        write: (work) => writeFor(service, clientId, work),
      }
      try {
        const result = await authorizer.authorize(ask, question, input)
        return {
          outcome: (later) => toOutcome(withColumns(later, form), question, result),
          undo: async (later) => {
            const isStaged = result.kind === 'done' || result.kind === 'columns'
            if (isStaged) await authorizer.discard?.(later, result.secret)
            if (result.kind === 'done') await authorizer.abandon?.(later, result.secret)
          },
        }
      } catch (error) {
        if (!(error instanceof RejectedAnswer)) throw error
        return { outcome: (later) => toRejection(later, question, error) }
      }
    },
  }
}

/** What the user answered, without the fields of the page itself. */
function fieldsOf(question: Question, form: URLSearchParams): Input['fields'] {
  const { turn: _, ...fields } = Object.fromEntries(form)
  if (question.kind !== 'form') return fields
  const { properties } = question.schema
  return Object.fromEntries(
    Object.entries(fields).filter(([name]) => Object.hasOwn(properties, name)),
  )
}

/** A visit that knows the answers about columns. */
function withColumns(visit: Visit, form: URLSearchParams): Visit {
  const { connection } = visit
  if (connection.question?.kind !== 'columns') return visit
  return { ...visit, connection: { ...connection, columns: typedOf(form) } }
}

async function toOutcome(visit: Visit, asked: Question, result: Result): Promise<Outcome> {
  if (result.kind !== 'done') {
    const events = result.kind === 'redirect' ? opened : submitted
    return { to: askingStep(visit), connection: { question: result }, events }
  }
  if (visit.ways.invented) {
    const outcome = await afterLogin(visit, 'SUBMIT_CREDENTIALS')
    return 'results' in outcome ? outcome : { ...outcome, connection: {} }
  }
  const { kind: _, ...authorized } = result
  const { connector } = await findConnected(visit)
  return afterDone(visit, asked, { ...authorized, connector: connector.id })
}

const opened = [['OPEN_OAUTH', {}]] as const
const submitted = [['SUBMIT_CREDENTIALS', {}]] as const
