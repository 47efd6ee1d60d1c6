import type { PageToken } from '../link/link-token-store.ts'
import { type Html, html } from './html.ts'
import { toPage } from './layout.ts'
import type { PageAnswer } from './page-request.ts'
import type { RunBy } from './run-by.ts'
import type { Told } from './teller.ts'
import type { FrameTexts } from './texts/texts.ts'

interface Message {
  title: string
  text: string
}

/** How a message is shown. */
interface MessageFrame {
  texts: FrameTexts
  isSandbox: boolean
  /** Known where a link token is. */
  runBy?: RunBy
  /** What can be done here. */
  more?: Html | undefined
  told?: Told | undefined
}

/** A page that says what happened and what to do. */
export const toMessage = (
  status: number,
  { title, text }: Message,
  { more, ...frame }: MessageFrame,
): PageAnswer => ({
  status,
  html: toPage({ ...frame, title, content: html`<p>${text}</p>${more}` }),
})

/** A link that looks like a button. */
export const toButton = (href: string, text: string, isSecond = false): Html =>
  html`<p><a class="button${isSecond && ' second'}" href="${href}">${text}</a></p>`

type Returning = Pick<PageToken, 'redirect_uri' | 'client_name'>

/**
 * The way back to the application, where its link token names one. A link, since browsers hold
 * forms to this service, and so what a form is redirected to.
 */
export const toReturn = (
  { redirect_uri, client_name }: Returning,
  { shared }: FrameTexts,
  isSecond = false,
): Html | undefined =>
  redirect_uri === null ? undefined : toButton(redirect_uri, shared.returnTo(client_name), isSecond)
