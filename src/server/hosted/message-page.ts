import { type Html, html } from './html.ts'
import { toPage } from './layout.ts'
import type { PageAnswer } from './page-request.ts'
import { en } from './texts/en.ts'
import type { Texts } from './texts/texts.ts'

interface Message {
  title: string
  text: string
}

/** A page that says what happened and what to do. */
export const toMessage = (
  status: number,
  { title, text }: Message,
  { texts = en, more }: { texts?: Texts; more?: Html } = {},
): PageAnswer => ({
  status,
  html: toPage({ texts, isSandbox: false, title, content: html`<p>${text}</p>${more}` }),
})

/** A link that looks like a button. */
export const toButton = (href: string, text: string): Html =>
  html`<p><a class="button" href="${href}">${text}</a></p>`
