import { toPage } from '../layout.ts'
import type { Rejected } from '../visit.ts'
import { addressOf } from './address.ts'
import { openQuestions, progressOf } from './question-order.ts'
import { questions } from './questions/questions.ts'
import type { QuestionName, Visit } from './visit.ts'

/** The page of a question. */
export async function showQuestion(
  visit: Visit,
  name: QuestionName,
  rejected?: Rejected,
): Promise<string> {
  const { ctx, texts, session, steps, client, told } = visit
  const { title, content } = await questions[name].view(visit, rejected)
  const open = openQuestions(visit)
  const before = open[open.indexOf(name) - 1]
  const address = (page: string) => addressOf(session.session_id, page)
  return toPage({
    texts,
    isSandbox: ctx.settings.environment === 'sandbox',
    title,
    content,
    errors: rejected?.errors ?? [],
    progress: progressOf(steps),
    back: before && address(before),
    leave: address('leave'),
    told,
    runBy: { host: new URL(ctx.publicUrl).host, client },
  })
}
