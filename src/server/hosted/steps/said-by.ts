import { type Html, html } from '../html.ts'
import type { Texts } from '../texts/texts.ts'

/** More would hide the rest of the page. */
const mostShown = 5

/** What the institution tells the user, marked as its words. */
export function saidBy({ said: words }: Texts, said: readonly string[] = []): Html | undefined {
  if (said.length === 0) return undefined
  return html`<section class="note" aria-labelledby="said">
<h2 id="said">${words.title}</h2>
${said.slice(0, mostShown).map((text) => html`<blockquote>${text}</blockquote>`)}
<p class="hint">${words.text}</p>
</section>`
}
