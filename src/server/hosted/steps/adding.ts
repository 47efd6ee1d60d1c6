import { isStalled } from '../connection.ts'
import { html } from '../html.ts'
import { toForm } from '../layout.ts'
import { toButton } from '../message-page.ts'
import type { Step } from '../visit.ts'

/** How soon a browser asks again, without a script. */
export const renewSeconds = 3

/** Says how much is linked already. A user whose file makes no progress can send it again. */
export const adding: Step = {
  view(visit) {
    const { texts, connection, address } = visit
    const { done = 0, total = 0 } = connection.adding?.rest ?? {}
    const told = texts.adding
    const percent = total === 0 ? 0 : Math.floor((100 * Math.min(done, total)) / total)
    const isHalted = isStalled(visit)
    const { stalled } = told
    return {
      title: isHalted ? stalled.title : told.title(percent),
      content: html`<p role="status" id="state">${told.state(done, total)}</p>
<progress value="${Math.min(done, total)}" max="${Math.max(total, 1)}" aria-labelledby="state"></progress>
<p>${isHalted ? stalled.text : told.text}</p>
${toButton(address, told.look)}
${isHalted && html`<p>${stalled.stopText}</p>${toForm(visit, html`<button class="second">${stalled.stop}</button>`)}`}`,
    }
  },
  async answer({ ctx, ways, connection: { adding, done } }) {
    if (adding && done) await ways.connectors[done.connector]?.undo?.(ctx, adding.rest)
    return { to: 'connect', connection: {} }
  },
}
