import type { Resume } from '../../sources/connector.ts'
import { accountName } from '../account-name.ts'
import { html } from '../html.ts'
import { toForm } from '../layout.ts'
import type { View, Visit } from '../visit.ts'
import { saidBy } from './said-by.ts'

/** Update mode at a source that still lets the service in. */
export function resumeView(
  visit: Visit,
  { appeared, needs, hasToken, said }: Resume,
  institution: string,
): View {
  const { texts, token } = visit
  const { resume, shared } = texts
  const words = hasToken ? resume : texts.resumeOther
  const names = appeared.map((one) => accountName(texts, { ...one, kind: null }))
  return {
    title: resume.title(institution),
    content: html`<p>${words.intro(token.client_name)}</p>
${needs && html`<p><strong>${words[needs]}</strong></p>`}
${saidBy(texts, said)}
${
  names.length > 0 &&
  html`<h2>${resume.appeared}</h2>
<ul>${names.map((name) => html`<li>${name}</li>`)}</ul>
<p>${resume.appearedText(token.client_name)}</p>`
}
${names.length === 0 && html`<p>${resume.look}</p>`}
${toForm(
  visit,
  html`<button id="main">${shared.continue}</button>
<p><button class="second" name="another" value="1">${words.another}</button></p>`,
)}`,
  }
}
