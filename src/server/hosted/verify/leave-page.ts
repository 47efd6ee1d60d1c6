import { html } from '../html.ts'
import { toForm, toPage } from '../layout.ts'
import { toButton } from '../message-page.ts'
import type { PageAnswer } from '../page-request.ts'
import { addressOf } from './address.ts'
import { currentQuestion } from './question-order.ts'
import type { Visit } from './visit.ts'

/** Asks whether the person means to leave. */
export function leavePage(visit: Visit): PageAnswer {
  const { ctx, texts, session, client } = visit
  const { title, text, stay, submit } = texts.leaving
  return {
    status: 200,
    html: toPage({
      texts,
      isSandbox: ctx.settings.environment === 'sandbox',
      title,
      content: html`<p>${text}</p>
${toButton(addressOf(session.session_id, currentQuestion(visit)), stay)}
${toForm(visit, html`<button class="second">${submit}</button>`)}`,
      runBy: { host: new URL(ctx.publicUrl).host, client },
    }),
  }
}
