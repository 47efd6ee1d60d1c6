import type { Ask, Connector, Input, Question } from '../../sources/connector.ts'
import { RejectedAnswer, type Step as Result } from '../../sources/connector.ts'
import { readFor } from '../as-client.ts'
import { findConnected, isBusy } from '../connection.ts'
import { html } from '../html.ts'
import { toButton } from '../message-page.ts'
import type { FieldError, Later, Outcome, Settle, Step, View, Visit } from '../visit.ts'
import { afterDone } from './after-done.ts'
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
    if (question.kind !== 'form') return () => question.kind === 'file'
    const { properties } = question.schema
    return (name) => Object.hasOwn(properties, name) && properties[name]?.format !== 'password'
  },
  async answer(visit, form) {
    const asked = await findQuestion(visit)
    const errors = missingIn(visit, asked.question, form)
    return errors.length > 0 ? { errors } : { later: toLater(visit, asked, form) }
  },
}

const busyView = ({ texts, address }: Visit): View => ({
  title: texts.busyAnswer.title,
  content: html`<p>${texts.busyAnswer.text}</p>${toButton(address, texts.busyAnswer.look)}`,
})

interface Asked {
  connector: Connector
  institution: Parameters<Connector['first']>[0]
  question: Question
}

async function findQuestion(visit: Visit): Promise<Asked> {
  const connected = await findConnected(visit)
  const { connector, institution } = connected
  return { ...connected, question: visit.connection.question ?? connector.first(institution) }
}

function missingIn({ texts, file }: Visit, question: Question, form: URLSearchParams) {
  const errors: FieldError[] = []
  if (question.kind === 'file' && (!file || file.name === '')) {
    errors.push({ field: 'file', text: texts.file.missing })
  }
  if (question.kind !== 'form') return errors
  for (const field of question.schema.required) {
    if ((form.get(field) ?? '').trim() !== '') continue
    errors.push({ field, text: toFieldTexts(texts, field).missing })
  }
  return errors
}

function toLater(visit: Visit, asked: Asked, form: URLSearchParams): Later {
  const { ctx, token, file } = visit
  const { connector, institution, question } = asked
  const input: Input = { fields: Object.fromEntries(form), ...(file ? { file } : {}) }
  const clientId = ctx.client.client_id
  return {
    isOnce: question.kind !== 'file',
    async work(service): Promise<Settle> {
      const ask: Ask = {
        service,
        clientId,
        institution,
        itemId: token.item_id,
        read: (work) => readFor(service, clientId, work),
      }
      try {
        const result = await connector.authorize(ask, question, input)
        return {
          outcome: (later) => toOutcome(later, connector, result),
          undo: async (later) => {
            if (result.kind === 'done') await connector.discard?.(later, result.secret)
          },
        }
      } catch (error) {
        if (!(error instanceof RejectedAnswer)) throw error
        return { outcome: (later) => toRejection(later, question, error) }
      }
    },
  }
}

function toOutcome(visit: Visit, connector: Connector, result: Result): Promise<Outcome> | Outcome {
  if (result.kind !== 'done') {
    return { to: 'connect', connection: { question: result }, events: submitted }
  }
  const { kind: _, ...authorized } = result
  return afterDone(visit, { ...authorized, connector: connector.id })
}

const submitted = [['SUBMIT_CREDENTIALS', {}]] as const
