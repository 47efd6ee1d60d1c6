import { eachWebhook, type WebhookEntry } from '../contract/contract.ts'
import { escapeHtml } from './escape-html.ts'
import { answerExamples } from './example-list.ts'
import { fieldList } from './field-list.ts'
import { shapeOf } from './fields.ts'
import { hasPart } from './has-part.ts'
import { headerList } from './header-list.ts'
import {
  codeLinkTo,
  endpoint,
  heading,
  inline,
  lead,
  linkTo,
  list,
  type Page,
  staticHtml,
} from './html.ts'
import { fieldSections, section } from './operation-page.ts'
import { everyWebhook, type Site, undatedSites, webhookPath, writtenIn } from './site.ts'

/** The list of all webhooks, and a page for each. */
export function webhookPages(site: Site): Page[] {
  const pages = [site, ...undatedSites(site)].flatMap((own) =>
    eachWebhook(own.contract).map((entry) => webhookPage(own, entry)),
  )
  return [webhookIndex(everyWebhook()), ...withoutRepeats(pages)]
}

/** The search finds a field that several webhooks have on the page of the first one. */
function withoutRepeats(pages: Page[]): Page[] {
  const found = new Set<string>()
  return pages.map(({ sections = [], ...page }) => {
    const keyed = sections.map((one) => ({ one, key: `${one.anchor} ${one.text}` }))
    const own = keyed.filter(({ key }) => !found.has(key))
    for (const { key } of own) found.add(key)
    return { ...page, sections: own.map(({ one }) => one) }
  })
}

/** The webhooks of each type, in the contract's order. */
export const byType = (all: WebhookEntry[]): Map<string, WebhookEntry[]> =>
  Map.groupBy(all, ({ name }) => name.slice(0, name.indexOf('.')))

function webhookIndex(all: WebhookEntry[]): Page {
  const sections = [...byType(all)].flatMap(([type, entries]) => [
    heading(2, type, type),
    list(entries.map(card), 'cards'),
  ])
  return {
    path: 'webhooks/',
    title: 'Webhooks',
    description: 'What the service sends when something changed.',
    options: { outline: 2 },
    parts: [
      staticHtml(
        heading(1, 'Webhooks', 'webhooks'),
        lead(
          `The service sends these to your server when something changed. Check type and code together, since two types can have the same code.${guide()}`,
        ),
        ...sections,
      ),
    ],
    sections: [{ anchor: '', titles: ['Webhooks'], text: 'notifications signature delivery' }],
  }
}

const guide = (): string =>
  hasPart('guides')
    ? ` ${linkTo('guides/receive-webhooks/', 'The guide')} shows how to receive and verify them.`
    : ''

function card({ name, webhook }: WebhookEntry): string {
  const code = name.slice(name.indexOf('.') + 1)
  return `${codeLinkTo(webhookPath(name), code)}<span>${escapeHtml(webhook.summary)}</span>`
}

function webhookPage(site: Site, { name, webhook, schema }: WebhookEntry): Page {
  const { contract, links } = site
  const body = shapeOf(contract, schema, 'body')
  const { description = '', content } = webhook.requestBody
  const text = [
    heading(2, 'Headers', 'headers'),
    headerList(contract, webhook.parameters ?? [], links, false),
    heading(2, 'Body', 'body'),
    `<p>${inline(description, links)}</p>`,
    fieldList(body, links, false),
    heading(2, 'Your answer', 'answer'),
    ...Object.entries(webhook.responses).map(([status, response]) => {
      return `<p>Status ${status}. ${inline(response.description, links)}</p>`
    }),
  ]
  const examples = [heading(2, 'Examples', 'examples'), answerExamples(contract, content, links)]
  const title = `${webhook.summary} · ${name}`
  return {
    path: webhookPath(name),
    source: `${writtenIn(site)}/webhooks/${webhook.tags[0]}/${name.split('.').at(-1)}.yaml`,
    title: webhook.summary,
    description: `The webhook ${name}`,
    options: { pageClass: 'wide', aside: false, outline: 2 },
    parts: [
      staticHtml(
        heading(1, webhook.summary, name),
        endpoint(name),
        lead(inline(webhook.description, links)),
        section(text, examples),
      ),
    ],
    sections: [
      { anchor: '', titles: [title], text: `${name} ${webhook.description}` },
      ...fieldSections(title, body),
    ],
  }
}
