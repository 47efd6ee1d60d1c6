import { hostedLinkPath } from '../link/hosted-page.ts'
import { html } from './html.ts'
import { toPage } from './layout.ts'
import type { PageAnswer } from './page-request.ts'
import type { Texts } from './texts/texts.ts'

/** Where the sandbox serves the invented website. */
export const websitePath = `${hostedLinkPath}/website`

/** The invented website of an institution, which leads back as a real one does. */
export function websitePage(texts: Texts, state: string): PageAnswer {
  const { website } = texts
  return {
    status: 200,
    html: toPage({
      texts,
      isSandbox: true,
      title: website.title,
      content: html`<p>${website.text}</p>
<form method="get" action="${hostedLinkPath}/return">
<input type="hidden" name="state" value="${state}">
<p><button name="code" value="allowed">${website.allow}</button></p>
<p><button class="second" name="code" value="app">${website.app}</button></p>
<p><button class="second" name="error" value="access_denied">${website.deny}</button></p>
<p><button class="second" name="error" value="server_error">${website.fail}</button></p>
</form>`,
    }),
  }
}
