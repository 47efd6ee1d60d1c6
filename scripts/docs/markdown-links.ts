import { base } from './base.ts'

/** The plain text of a page, below the base: `guides/keep-a-copy.md` beside `guides/keep-a-copy/`. */
export const markdownPath = (path: string): string =>
  path === '' ? 'index.md' : path.replace(/\/$/, '.md')

/** A link of a page for its Markdown version, which leads to the Markdown version of the target. */
export function markdownLink(href: string): string {
  const [path = '', hash] = href.split('#')
  if (!path.startsWith(base) || (path !== base && !path.endsWith('/'))) return href
  return base + markdownPath(path.slice(base.length)) + (hash ? `#${hash}` : '')
}

/** A link in the Markdown of the page at `path`, relative to it or to the site, from the base on. */
export function resolveLink(href: string, path: string): string {
  if (href.startsWith('/') && !href.startsWith(base)) return base + href.slice(1)
  if (!href.startsWith('.')) return href
  const { pathname, hash } = new URL(href, `http://docs${base}${path}`)
  return pathname + hash
}
