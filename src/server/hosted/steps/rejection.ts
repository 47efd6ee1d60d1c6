import type { Question, RejectedAnswer } from '../../sources/connector.ts'
import { askingStep } from '../asking.ts'
import { findConnected } from '../connection.ts'
import type { Outcome, Visit } from '../visit.ts'

/** The form again, with what is wrong. */
export function toRejection(visit: Visit, question: Question, error: RejectedAnswer): Outcome {
  const { texts } = visit
  const { next } = error
  const before = isOver(question, error) ? {} : visit.connection
  const connection = next ? { question: next } : before
  const isGone = error.reason === 'fileGone'
  const field = error.field ?? (isGone ? 'file' : firstField(next ?? question))
  return {
    errors: [{ field, text: texts.rejections[error.reason] }],
    connection,
    at: askingStep(visit),
    ...(error.code === undefined ? {} : { failure: { code: error.code, key: error.key } }),
  }
}

/**
 * Whether the user has to begin again. Who waits or comes back has no form to correct; a quota that is
 * used up leaves what was authorized.
 */
const isOver = ({ kind }: Question, { reason }: RejectedAnswer): boolean =>
  reason === 'fileGone' || ((kind === 'wait' || kind === 'redirect') && reason !== 'quotaReached')

/** The field of a question that a summary of errors leads to. */
export function firstField(question: Question): string {
  if (question.kind === 'file') return 'file'
  if (question.kind === 'columns') return 'date'
  const [first = 'main'] = question.kind === 'form' ? Object.keys(question.schema.properties) : []
  return first
}

/** The first question again, where what was authorized could not be linked. */
export async function toLinkRejection(visit: Visit, error: RejectedAnswer): Promise<Outcome> {
  const { connector, institution } = await findConnected(visit)
  return toRejection({ ...visit, connection: {} }, connector.first(institution), error)
}
