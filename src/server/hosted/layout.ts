import { type Html, html } from './html.ts'
import type { RunBy } from './run-by.ts'
import { stylePath } from './style.ts'
import { type Told, tellerPath } from './teller.ts'
import type { FrameTexts } from './texts/texts.ts'
import type { FieldError } from './visit.ts'

/** What a page shows, and in which frame. */
interface Page {
  texts: FrameTexts
  isSandbox: boolean
  title: string
  content: Html
  errors?: readonly FieldError[]
  progress?: { step: number; count: number }
  back?: string | undefined
  leave?: string
  /** What its link says, if that is not the usual text. */
  leaveText?: string | undefined
  told?: Told | undefined
  /** Who runs the page, and for whom. */
  runBy?: RunBy | undefined
}

/** The text of a page. */
export function toPage(page: Page): string {
  const { texts, title, errors = [], content } = page
  const { shared } = texts
  const head = errors.length > 0 ? shared.errorTitle(title) : title
  return html`<!doctype html>
<html lang="${texts.code}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="robots" content="noindex">
<title>${head}</title>
<link rel="icon" href="data:,">
<link rel="stylesheet" href="${stylePath}">
${page.told && html`<script src="${tellerPath}" defer></script>`}
</head>
${page.told ? bodyWith(page.told) : html`<body>`}
${page.isSandbox && banner(texts)}
<main>
${page.progress && progressOf(texts, page.progress)}
${errors.length > 0 && summaryOf(texts, errors)}
<h1>${title}</h1>
${content}
${footerOf(page)}
</main>
${page.runBy && html`<footer><p>${shared.runBy(page.runBy.host, page.runBy.client)}</p></footer>`}
</body>
</html>
`.html
}

const bodyWith = ({ origin, session }: Told): Html =>
  html`<body data-origin="${origin}" data-session="${JSON.stringify(session)}">`

const banner = ({ shared }: FrameTexts): Html =>
  html`<header class="banner"><p><strong>${shared.sandbox}</strong> ${shared.sandboxAdvice}</p></header>`

const progressOf = (
  { shared }: FrameTexts,
  { step, count }: { step: number; count: number },
): Html =>
  html`<p class="progress">${shared.progress(step, count)}
<progress value="${step}" max="${count}" aria-hidden="true"></progress></p>`

/** The browser moves the focus here without a script. */
const summaryOf = ({ shared }: FrameTexts, errors: readonly FieldError[]): Html =>
  html`<div class="errors" role="alert" tabindex="-1" autofocus aria-labelledby="problem">
<h2 id="problem">${shared.problem}</h2>
<ul>${errors.map(({ field, text }) => html`<li><a href="#${field}">${text}</a></li>`)}</ul>
</div>`

function footerOf({ texts, back, leave, leaveText = texts.shared.leave }: Page): Html | undefined {
  if (leave === undefined) return undefined
  return html`<nav class="ways"><ul>
${back !== undefined && html`<li><a href="${back}">${texts.shared.back}</a></li>`}
<li><a href="${leave}">${leaveText}</a></li>
</ul></nav>`
}

/** What the forms of a page need. */
export interface Sending {
  session: { turn: number }
  address: string
}

/**
 * A form of a step, which is accepted once. Without an address of its own it would be sent with the
 * fragment of the page, and browsers move no focus to an error then.
 */
export const toForm = ({ session, address }: Sending, content: Html): Html =>
  html`<form method="post" action="${address}" novalidate>
<input type="hidden" name="turn" value="${session.turn}">
${content}
</form>`

interface Field {
  name: string
  label: string
  /** What helps to answer. */
  hint?: string
  type: string
  autocomplete: string
  value?: string | undefined
  inputmode?: string
  maxLength?: number
  /** Whether the page tells above several fields what is wrong. */
  isToldAbove?: boolean
}

/** A field with its label, and what is wrong with it. */
export function toField(field: Field, errors: readonly FieldError[] = []): Html {
  const { name, label, hint, type, autocomplete, value = '', inputmode, maxLength = 200 } = field
  const error = errors.find((one) => one.field === name)
  const described = [...(hint ? [`${name}-hint`] : []), ...(error ? [`${name}-error`] : [])]
  return html`<div class="field">
<label for="${name}">${label}</label>
${hint && html`<p class="hint" id="${name}-hint">${hint}</p>`}
${error && !field.isToldAbove && html`<p class="error" id="${name}-error">${error.text}</p>`}
<input id="${name}" name="${name}" type="${type}" autocomplete="${autocomplete}" value="${value}"
autocapitalize="none" spellcheck="false" maxlength="${maxLength}"${inputmode && html` inputmode="${inputmode}"`}${
    error && html` aria-invalid="true"`
  }${described.length > 0 && html` aria-describedby="${described.join(' ')}"`}>
</div>`
}
