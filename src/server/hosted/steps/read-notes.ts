import type { FoundAccount, ReadNote } from '../../sources/connector.ts'
import { type Html, html } from '../html.ts'
import type { Texts } from '../texts/texts.ts'
import type { Visit } from '../visit.ts'

/** More would hide the rest of the page. */
const mostShown = 10

/** How much a file tells of an account, and of which days. */
export function toldLine(texts: Texts, { told }: Pick<FoundAccount, 'told'>): Html | undefined {
  if (!told) return undefined
  const { rows, from, to } = told
  const days = from === null || to === null ? '' : `, ${texts.read.days(from, to)}`
  return html`<p class="told">${texts.read.rows(rows)}${days}</p>`
}

/** What could not be read, by the line of the file. */
export function readNotes({ texts, connection }: Visit): Html | undefined {
  const notes = connection.done?.notes ?? []
  if (notes.length === 0) return undefined
  const { read } = texts
  const hidden = Math.max(0, notes.length - mostShown) + (connection.done?.moreNotes ?? 0)
  const isLost = notes.some(({ lost }) => lost)
  return html`<section class="note" aria-labelledby="notes">
<h2 id="notes">${isLost ? read.lostTitle : read.noteTitle}</h2>
<ul>${notes.slice(0, mostShown).map((note) => html`<li>${toLine(texts, note)}</li>`)}</ul>
${hidden > 0 && html`<p>${read.more(hidden)}</p>`}
${isLost && html`<p>${read.lostAdvice}</p>`}
</section>`
}

function toLine({ read }: Texts, { line, code }: ReadNote): string {
  const words = (read.codes as Readonly<Record<string, string>>)[code] ?? read.codes.INVALID_VALUE
  return line === undefined ? words : read.line(line, words)
}
