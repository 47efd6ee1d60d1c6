import { type PageKey, readPageKey, writePageKey } from '../kernel/page-key.ts'
import { hostedLinkPath } from '../link/hosted-page.ts'
import { verifyPath } from './verify/address.ts'

interface SessionCookie {
  publicUrl: string
  sessionId: string
  /** Which pages it opens. Left out, those of link tokens. */
  use?: CookieUse
}

/** The pages that a cookie is for, and where they are. */
const paths = { link: hostedLinkPath, verify: verifyPath } as const

type CookieUse = keyof typeof paths

/** Browsers take the prefix from https only, and then for the whole host only. */
const isSecure = (publicUrl: string): boolean => publicUrl.startsWith('https:')

/** Each session has a cookie of its own: a browser can have two links open. */
const nameOf = ({ publicUrl, sessionId, use = 'link' }: SessionCookie): string =>
  `${isSecure(publicUrl) ? '__Host-' : ''}${use}-${sessionId}`

/** The value of `Set-Cookie` for the browser of a session. */
export function writeCookie(cookie: SessionCookie, key: PageKey, seconds: number): string {
  const place = isSecure(cookie.publicUrl)
    ? 'Path=/; Secure'
    : `Path=${paths[cookie.use ?? 'link']}`
  const age = `Max-Age=${Math.max(0, Math.ceil(seconds))}`
  return `${nameOf(cookie)}=${writePageKey(key)}; ${place}; ${age}; HttpOnly; SameSite=Lax`
}

/** What the header `Cookie` holds for a session. */
export function readCookie(header: string, cookie: SessionCookie): PageKey | undefined {
  const start = `${nameOf(cookie)}=`
  const found = header.split(/; */).find((pair) => pair.startsWith(start))
  return found === undefined ? undefined : readPageKey(found.slice(start.length))
}
