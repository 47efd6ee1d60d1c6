/** Where the site is served. */
export const base = '/docs/'

export const escapeHtml = (text: string): string =>
  text
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;')

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
  escapeHtml(text).replaceAll(/\b[A-Z]+(?:_[A-Z]+)+\b/g, (name) => {
    const href = links.get(name)
    return href ? `<a href="${base}${href}">${breakable(name)}</a>` : breakable(name)
  })

/** A long name may break after `_`, `.` and `/`, so that it fits a phone. */
export const breakable = (name: string): string =>
  escapeHtml(name).replaceAll(/(?<=[^\s_./])([_./])(?=\w)/g, '$1<wbr>')

export function heading(level: 1 | 2 | 3 | 4, text: string, id: string): string {
  const label = `Link to “${escapeHtml(text)}”`
  const anchor = `<a class="header-anchor" href="#${id}" aria-label="${label}"></a>`
  return `<h${level} id="${id}" tabindex="-1">${escapeHtml(text)} ${anchor}</h${level}>`
}

/** A page of the site, before VitePress. */
export interface Page {
  /** Its folder below `/docs/`, without slashes at the ends; '' is the start page. */
  path: string
  title: string
  description: string
  /** Further lines of front matter. */
  options?: Record<string, unknown>
  /** Markdown, or HTML without blank lines. */
  body: string
  /** What the search finds it by. Left out, the text of the page. */
  sections?: SearchSection[]
}

export interface SearchSection {
  anchor: string
  /** The page's title first, the section's own last. */
  titles: string[]
  text: string
}

/** HTML that Vue is to take as it is. */
export const staticHtml = (...parts: string[]): string =>
  `<div class="static" v-pre>\n${parts.filter(Boolean).join('\n')}\n</div>`
