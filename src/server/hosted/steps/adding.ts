import { html } from '../html.ts'
import { toButton } from '../message-page.ts'
import type { Step } from '../visit.ts'

/** How soon a browser asks again, without a script. */
export const renewSeconds = 3

/** Says how much is linked already. There is nothing to answer. */
export const adding: Step = {
  view({ texts, connection, address }) {
    const { done = 0, total = 0 } = connection.adding?.rest ?? {}
    const told = texts.adding
    const percent = total === 0 ? 0 : Math.floor((100 * Math.min(done, total)) / total)
    return {
      title: told.title(percent),
      content: html`<p role="status" id="state">${told.state(done, total)}</p>
<progress value="${Math.min(done, total)}" max="${Math.max(total, 1)}" aria-labelledby="state"></progress>
<p>${told.text}</p>
${toButton(address, told.look)}`,
    }
  },
  answer: () => ({ to: 'adding' }),
}
