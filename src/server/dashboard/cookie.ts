import { isLoopbackHost } from '../kernel/loopback.ts'

/** A cookie of the dashboard, by what its name ends with. */
const cookies = {
  /** The key of a session. */
  session: { suffix: '', form: /^[A-Za-z0-9_-]{43}$/ },
  /** The key of a sign-in that goes on at the identity provider. */
  attempt: { suffix: '-provider', form: /^[A-Za-z0-9_-]{43}\.\d{13}$/ },
}
export type CookieName = keyof typeof cookies

/**
 * Browsers accept the prefix from https only. Over plain http only a service on loopback has
 * sessions. Cookies ignore ports, so its name has the port: two sandboxes would end each other's
 * session otherwise.
 */
function placeOf(publicUrl: string, cookie: CookieName): { name: string; attributes: string } {
  const { protocol, hostname, port } = new URL(publicUrl)
  const { suffix } = cookies[cookie]
  return protocol === 'http:' && isLoopbackHost(hostname)
    ? { name: `dashboard${suffix}-${port || '80'}`, attributes: 'Path=/dashboard' }
    : { name: `__Host-dashboard${suffix}`, attributes: 'Path=/; Secure' }
}

/**
 * The value of `Set-Cookie`; without a key it removes the cookie. `Strict` is right for the answer of
 * the identity provider, too: a page of our own sends it, after the browser has come back.
 */
export function writeCookie(
  publicUrl: string,
  cookie: CookieName,
  key: string,
  seconds: number,
): string {
  const { name, attributes } = placeOf(publicUrl, cookie)
  return `${name}=${key}; ${attributes}; Max-Age=${seconds}; HttpOnly; SameSite=Strict`
}

/** The key in the header `Cookie`, if it has one of the right form. */
export function readCookie(
  publicUrl: string,
  cookie: CookieName,
  header: string,
): string | undefined {
  const start = `${placeOf(publicUrl, cookie).name}=`
  const found = header.split(/; */).filter((pair) => pair.startsWith(start))
  const [key = ''] = found.map((pair) => pair.slice(start.length))
  // Two of one name: a page of another path or host has set one.
  return found.length === 1 && cookies[cookie].form.test(key) ? key : undefined
}
