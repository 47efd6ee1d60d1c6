import { base } from './base.ts'
import type { Page, Part } from './html.ts'
import { markdownLink, resolveLink } from './markdown-links.ts'
import { toMarkdown } from './to-markdown.ts'

/** A page as Markdown, for programs and for readers who prefer plain text. */
export function markdownOf({ path, parts }: Page): string {
  const texts = parts.map((part) => ('template' in part ? '' : textOf(part, path)))
  return `${texts.filter((text) => text !== '').join('\n\n')}\n`
}

const textOf = (part: Exclude<Part, { template: string }>, path: string): string =>
  'html' in part ? toMarkdown(part.html) : plainMarkdown(part.markdown, path)

/** Markdown without the marks of the site's own dialect, and with links to the Markdown version of pages. */
function plainMarkdown(markdown: string, path: string): string {
  return markdown
    .trim()
    .split(/^(```[\s\S]*?^```)/m)
    .map((text) => (text.startsWith('```') ? withoutLabel(text) : plainText(text, path)))
    .join('')
}

/** A block without the label that it has in a group of tabs. */
const withoutLabel = (block: string): string => block.replace(/^(```\w+) \[[^\]\n]*\]/, '$1')

const plainText = (text: string, path: string): string =>
  text
    .replaceAll(/^:::.*\n\n?/gm, '')
    .replaceAll(/ ?\{(?:[.#][\w.-]+|target="_self")\}/g, '')
    .replaceAll(/\]\(([^)\s]+)\)/g, (_link, href) => `](${markdownLink(resolveLink(href, path))})`)

/** The element in the head of a page that links another form of it. */
export const alternate = (href: string, type: string, title: string): unknown[] => [
  'link',
  { rel: 'alternate', type, title, href: base + href },
]
