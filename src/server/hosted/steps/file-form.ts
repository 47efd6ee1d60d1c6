import type { Question } from '../../sources/connector.ts'
import { type Html, html } from '../html.ts'
import type { Rejected, Visit } from '../visit.ts'

/** The form that sends a file. */
export function fileForm(
  { texts, session, address }: Visit,
  { accept }: Extract<Question, { kind: 'file' }>,
  rejected: Rejected | undefined,
): Html {
  const { file } = texts
  const error = rejected?.errors.find(({ field }) => field === 'file')
  return html`<p>${file.how}</p>
<form method="post" action="${address}" enctype="multipart/form-data" novalidate>
<input type="hidden" name="turn" value="${session.turn}">
<div class="field">
<label for="file">${file.label}</label>
<p class="hint" id="file-hint">${file.hint}</p>
${error && html`<p class="error" id="file-error">${error.text}</p>`}
<input id="file" name="file" type="file" accept="${accept.join(',')}"
aria-describedby="file-hint${error && ' file-error'}"${error && html` aria-invalid="true"`}>
</div>
<button>${file.submit}</button>
<p class="hint">${file.interrupted}</p>
</form>
<section class="note" aria-labelledby="where"><h2 id="where">${file.where}</h2><p>${file.whereText}</p></section>`
}
