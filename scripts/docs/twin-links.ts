import { base } from './base.ts'

/** The plain text of a page, below the base: `guides/keep-a-copy.md` beside `guides/keep-a-copy/`. */
export const twinPath = (path: string): string =>
  path === '' ? 'index.md' : path.replace(/\/$/, '.md')

/** A link on a page, as its twin has it: to the twin of what it leads to. */
export function twinLink(href: string): string {
  const [path = '', hash] = href.split('#')
  if (!path.startsWith(base) || (path !== base && !path.endsWith('/'))) return href
  return base + twinPath(path.slice(base.length)) + (hash ? `#${hash}` : '')
}

/** A link in the Markdown of the page at `path`, relative to it or to the site, from the base on. */
export function resolveLink(href: string, path: string): string {
  if (href.startsWith('/') && !href.startsWith(base)) return base + href.slice(1)
  if (!href.startsWith('.')) return href
  const { pathname, hash } = new URL(href, `http://docs${base}${path}`)
  return pathname + hash
}
