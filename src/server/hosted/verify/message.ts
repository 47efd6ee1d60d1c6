import type { IdentityVerificationStatus } from '#contract/closed.ts'
import { findClientName } from '../../identity-verification/page-session-store.ts'
import { type AttemptRow, findLatestAttempt } from '../../identity-verification/store.ts'
import type { Context } from '../../kernel/context.ts'
import type { PageToken } from '../../link/link-token-store.ts'
import { type Html, html } from '../html.ts'
import { toButton, toMessage, toReturn } from '../message-page.ts'
import type { PageAnswer } from '../page-request.ts'
import type { Told } from '../teller.ts'
import { attemptAddress } from './address.ts'
import type { Texts } from './texts/texts.ts'

/** Who reads a page, and on whose behalf. */
export interface Reader {
  texts: Texts
  /** Whom the person proves their identity to. */
  client: string
  /** The link token that led here. */
  token: PageToken | undefined
  /** What the window may know that opened the page. */
  told?: Told | undefined
}

/** Finds out what to call the client. */
export async function readerOf(
  ctx: Context,
  texts: Texts,
  token?: PageToken | undefined,
): Promise<Reader> {
  const name = token?.client_name ?? (await findClientName(ctx)) ?? texts.application
  return { texts, client: name, token }
}

interface Message {
  title: string
  text: string | ((client: string) => string)
}

/** A page of an attempt that says what happened. */
export function say(
  ctx: Context,
  reader: Reader,
  { status, message, more }: { status: number; message: Message; more?: Html | undefined },
): PageAnswer {
  const { texts, client } = reader
  const { title, text } = message
  return toMessage(
    status,
    { title, text: typeof text === 'string' ? text : text(client) },
    {
      texts,
      isSandbox: ctx.settings.environment === 'sandbox',
      more,
      told: reader.told,
      runBy: { host: new URL(ctx.publicUrl).host, client },
    },
  )
}

/** The way back to the application, where there is one. */
export const wayOut = ({ texts, token }: Reader): Html =>
  (token && toReturn(token, texts)) ?? html`<p>${texts.shared.close}</p>`

type Ended = Exclude<IdentityVerificationStatus, 'active'>

/** What a page says of an attempt that waits for nobody's answer; undefined while it goes on. */
export async function closedPage(
  ctx: Context,
  reader: Reader,
  attempt: AttemptRow,
): Promise<PageAnswer | undefined> {
  const newest = await findLatestAttempt(ctx, attempt.client_user_id, attempt.template_id)
  if (newest && newest.id !== attempt.id) return retriedPage(ctx, reader, newest)
  if (attempt.status === 'active') return undefined
  const message = reader.texts[attempt.status satisfies Ended]
  return say(ctx, reader, { status: 200, message, more: wayOut(reader) })
}

/** The person of the old link is the one of the new link. */
function retriedPage(ctx: Context, reader: Reader, newest: AttemptRow): PageAnswer {
  const { title, text, go, ask } = reader.texts.retried
  const { share_key } = newest
  const more =
    share_key === null
      ? html`<p>${ask(reader.client)}</p>${wayOut(reader)}`
      : toButton(attemptAddress(newest.id, ctx.keys.decrypt(share_key)), go)
  return say(ctx, reader, { status: 410, message: { title, text }, more })
}
