import { base } from './base.ts'
import { escapeHtml } from './escape-html.ts'

/** Words of the contract that are names of pages: `/accounts/get`, `ITEM_NOT_FOUND`. */
export type Links = ReadonlyMap<string, string>

/** A text of the contract: code in backticks, and links on what has a page. */
export function inline(text: string, links: Links): string {
  return text
    .trim()
    .split(/(`[^`]+`)/)
    .map((part) => (part.startsWith('`') ? codeLink(part.slice(1, -1), links) : words(part, links)))
    .join('')
}

/** Code, with a link if it names a page. */
export function codeLink(name: string, links: Links): string {
  const code = `<code>${breakable(name)}</code>`
  const href = links.get(name)
  return href ? `<a href="${base}${href}">${code}</a>` : code
}

/** Codes are in capitals with underscores, so they are found without backticks too. */
const words = (text: string, links: Links): string =>
  escapeHtml(text).replaceAll(/\b[A-Z]+(?:_[A-Z]+)+\b/g, (name) =>
    links.has(name) ? codeLink(name, links) : breakable(name),
  )

/** A name up to this length moves to the next line as a whole. */
const shortName = 16

/** A long name may break after `_`, `.` and `/`, so that it fits a phone; a URL had better not. */
export const breakable = (name: string): string =>
  name.length <= shortName || name.includes('://')
    ? escapeHtml(name)
    : escapeHtml(name).replaceAll(/(?<=[^\s_./])([_./])(?=\w)/g, '$1<wbr>')

/** A heading that can be linked to; `html` is the text where it is more than that. */
export function heading(
  level: 1 | 2 | 3 | 4,
  text: string,
  id: string,
  html = escapeHtml(text),
): string {
  const label = `Link to “${escapeHtml(text)}”`
  const anchor = `<a class="header-anchor" href="#${id}" aria-label="${label}"></a>`
  return `<h${level} id="${id}" tabindex="-1">${html} ${anchor}</h${level}>`
}

/** A link to a page of the site, or to a file. */
export const linkTo = (path: string, html: string): string => `<a href="${base}${path}">${html}</a>`

/** A link to a page that is named by code, such as a path. */
export const codeLinkTo = (path: string, name: string): string =>
  linkTo(path, `<code>${breakable(name)}</code>`)

export const list = (items: readonly string[], kind = ''): string =>
  `<ul${kind && ` class="${kind}"`}>${items.map((item) => `<li>${item}</li>`).join('')}</ul>`

/** The paragraph that opens a page. */
export const lead = (html: string): string => `<p class="lead">${html}</p>`

/** Where requests or webhooks go. */
export const endpoint = (name: string): string =>
  `<p class="endpoint"><span class="method">POST</span> <code>${breakable(name)}</code></p>`

/** Terms with their descriptions; a term without one is left out. */
export function properties(rows: readonly (readonly [term: string, html?: string | undefined])[]) {
  const known = rows.filter(([, html]) => html !== undefined)
  const items = known.map(([term, html]) => `<div><dt>${term}</dt><dd>${html}</dd></div>`)
  return `<dl class="properties">${items.join('\n')}</dl>`
}

/** A table; a row is its cells, and may have an id. */
export function table(kind: string, head: readonly string[], rows: readonly Row[]): string {
  const titles = head.map((title) => `<th scope="col">${title}</th>`)
  const lines = rows.map(({ id, cells }) => {
    return `<tr${id ? ` id="${id}"` : ''}>${cells.map((cell) => `<td>${cell}</td>`).join('')}</tr>`
  })
  return `<table class="${kind}"><thead><tr>${titles.join('')}</tr></thead><tbody>\n${lines.join('\n')}\n</tbody></table>`
}

export interface Row {
  id?: string | undefined
  cells: readonly (string | number)[]
}

/** A page of the site, before VitePress. */
export interface Page {
  /** Its folder below `/docs/`, with a slash at the end; '' is the start page. */
  path: string
  title: string
  description: string
  /** The file of the repository that it is written in, if it is one. */
  source?: string
  /** Further lines of front matter. */
  options?: Record<string, unknown>
  parts: Part[]
  /** What the search finds it by. Left out, the headings and texts of its Markdown. */
  sections?: SearchSection[]
}

/**
 * HTML is taken as it is, and costs the browser nothing; Markdown becomes a Vue template. What only
 * works in a browser is written as such a template at once.
 */
export type Part = { html: string } | { markdown: string } | { template: string }

export interface SearchSection {
  anchor: string
  /** The page's title first, the section's own last. */
  titles: string[]
  text: string
}

export const staticHtml = (...parts: string[]): Part => ({
  html: `<div class="static">\n${parts.filter(Boolean).join('\n')}\n</div>`,
})
