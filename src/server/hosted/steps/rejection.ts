import type { Question, RejectedAnswer } from '../../sources/connector.ts'
import { findConnected } from '../connection.ts'
import type { Outcome, Visit } from '../visit.ts'

/** The form again, with what is wrong. */
export function toRejection(visit: Visit, question: Question, error: RejectedAnswer): Outcome {
  const { texts, connection } = visit
  const first = question.kind === 'form' ? Object.keys(question.schema.properties)[0] : 'file'
  const field = error.field ?? first ?? 'main'
  return {
    errors: [{ field, text: texts.rejections[error.reason] }],
    connection,
    at: 'connect',
    ...(error.code === undefined ? {} : { failure: { code: error.code, key: error.key } }),
  }
}

/** The first question again, where what was authorized could not be linked. */
export async function toLinkRejection(visit: Visit, error: RejectedAnswer): Promise<Outcome> {
  const { connector, institution } = await findConnected(visit)
  return toRejection({ ...visit, connection: {} }, connector.first(institution), error)
}
