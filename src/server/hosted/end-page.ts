import type { LinkItemAddResult, LinkSessionResults } from '../../../generated/platform/closed.ts'
import { findAccount } from '../items/account-store.ts'
import type { Context } from '../kernel/context.ts'
import { toKind } from '../sources/account-kind.ts'
import { accountName } from './account-name.ts'
import type { OpenSession } from './change-session.ts'
import { type Html, html } from './html.ts'
import { isAnyBank } from './institution-name.ts'
import { toForm, toPage } from './layout.ts'
import { toButton, toReturn } from './message-page.ts'
import type { PageAnswer } from './page-request.ts'
import { runBy } from './run-by.ts'
import { addressOf } from './session-address.ts'
import type { Texts } from './texts/texts.ts'
import { toldOf } from './told-of.ts'
import type { Visit } from './visit.ts'

/** What a page says that its user did not leave, by the step that the session ended with. */
const ended = { taken: 'taken', full: 'tooManyForms' } as const satisfies Record<
  string,
  keyof Texts
>

/** Why a session ended that its user did not leave. */
export type EndStep = keyof typeof ended

type Account = LinkItemAddResult['accounts'][number]

/** The last page of a session. */
export async function endPage(
  ctx: Context,
  { token, session }: OpenSession,
  texts: Texts,
): Promise<PageAnswer> {
  const isSandbox = ctx.settings.environment === 'sandbox'
  const { title, content } = session.status === 'SUCCESS' ? await doneOf() : leftOf()
  const way = toReturn(token, texts) ?? html`<p>${texts.shared.close}</p>`
  return {
    status: 200,
    html: toPage({
      texts,
      isSandbox,
      title,
      content: html`${content}${way}`,
      told: toldOf(ctx, { token, session }),
      runBy: runBy(ctx, token),
    }),
  }

  async function doneOf() {
    const { done } = texts
    if (token.item_id !== null) {
      const isSandbox = token.environment === 'sandbox'
      const title = isSandbox ? done.titleAgain : done.titleUpdated
      const text = isSandbox ? done.textAgain : done.textUpdated
      return { title, content: html`<p>${text(token.client_name)}</p>` }
    }
    return { title: done.title, content: await listShared() }
  }

  function leftOf() {
    const { left } = texts
    const message = session.step in ended ? texts[ended[session.step as EndStep]] : undefined
    if (message) return { title: message.title, content: html`<p>${message.text}</p>` }
    const text = token.item_id === null ? left.text(token.client_name) : left.textAgain
    return { title: left.title, content: html`<p>${text} ${left.again}</p>` }
  }

  async function listShared(): Promise<Html> {
    const results = JSON.parse(ctx.keys.decrypt(session.results ?? '')) as LinkSessionResults
    return html`${await Promise.all(results.item_add_results.map(toShared))}`
  }

  async function toShared({ accounts, institution }: LinkItemAddResult): Promise<Html> {
    const at = isAnyBank(institution) ? '' : (institution?.name ?? '')
    const lines = await Promise.all(accounts.map((account) => toLine(account, at)))
    return html`
<p>${texts.done.text(token.client_name, at)}</p>
<ul>${lines.map((line) => html`<li>${line}</li>`)}</ul>`
  }

  /** An account as its user knows it, with its bank where that is behind the institution. */
  async function toLine(account: Account, institution: string): Promise<string> {
    const name = accountName(texts, { ...account, kind: toKind(account) ?? null })
    if (isSandbox) return name
    const bank = (await findAccount(ctx, account.id))?.official_name ?? institution
    return bank === institution ? name : `${bank}: ${name}`
  }
}

/** Asks whether the user means to leave. */
export function leavePage(visit: Visit): PageAnswer {
  const { ctx, texts, token, session } = visit
  const { leaving, left } = texts
  const stay = addressOf(session.link_session_id, session.step)
  return {
    status: 200,
    html: toPage({
      texts,
      isSandbox: ctx.settings.environment === 'sandbox',
      title: leaving.title,
      content: html`<p>${token.item_id === null ? leaving.text(token.client_name) : left.textAgain}</p>
${toButton(stay, leaving.stay)}
${toForm(visit, html`<button class="second">${leaving.submit}</button>`)}`,
      runBy: runBy(ctx, token),
    }),
  }
}
