import { isLoopbackHost } from '../kernel/loopback.ts'

/** The value of a cookie that a session is known by. */
const form = /^[A-Za-z0-9_-]{43}$/

/**
 * Browsers accept the prefix from https only. Over plain http only a service on loopback has
 * sessions. Cookies ignore ports, so its name has the port: two sandboxes would end each other's
 * session otherwise.
 */
function placeOf(publicUrl: string): { name: string; attributes: string } {
  const { protocol, hostname, port } = new URL(publicUrl)
  return protocol === 'http:' && isLoopbackHost(hostname)
    ? { name: `dashboard-${port || '80'}`, attributes: 'Path=/dashboard' }
    : { name: '__Host-dashboard', attributes: 'Path=/; Secure' }
}

/** The value of `Set-Cookie` for a session; without a key it removes the cookie. */
export function writeSessionCookie(publicUrl: string, key: string, seconds: number): string {
  const { name, attributes } = placeOf(publicUrl)
  return `${name}=${key}; ${attributes}; Max-Age=${seconds}; HttpOnly; SameSite=Strict`
}

/** The key in the header `Cookie`, if it has one of the right form. */
export function readSessionCookie(publicUrl: string, header: string): string | undefined {
  const start = `${placeOf(publicUrl).name}=`
  const found = header.split(/; */).filter((pair) => pair.startsWith(start))
  const [key = ''] = found.map((pair) => pair.slice(start.length))
  // Two of one name: a page of another path or host has set one.
  return found.length === 1 && form.test(key) ? key : undefined
}
