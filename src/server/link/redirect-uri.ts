import { isLoopbackHost } from '../kernel/loopback.ts'

/** Schemes whose URIs run code, or read what is on the user's machine. */
const rejected = ['javascript', 'data', 'file', 'vbscript', 'blob', 'about']

/** Whether a user can be sent to a URI: https, http to a loopback host, or the scheme of an app. */
export function isRedirectUri(uri: string): boolean {
  if (!URL.canParse(uri)) return false
  const { protocol, hostname } = new URL(uri)
  const scheme = protocol.slice(0, -1)
  if (scheme === 'https') return hostname !== ''
  if (scheme === 'http') return isLoopbackHost(hostname)
  return !rejected.includes(scheme)
}
