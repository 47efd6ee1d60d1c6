import { type Html, html } from '../html.ts'
import type { Visit } from './visit.ts'

/** What testers of the sandbox want to know at a question. */
export const toInvented = ({ ctx, texts }: Visit, content: Html): Html | undefined =>
  ctx.settings.environment !== 'sandbox'
    ? undefined
    : html`<section class="note" aria-labelledby="invented"><h2 id="invented">${texts.invented.title}</h2>${content}</section>`
