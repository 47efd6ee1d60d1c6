import type { Finding } from './session.ts'
import type { Sent } from './target.ts'

/** A finding with the requests that led to it, as they can be typed, and no secret in them. */
export function show({ message, trace }: Finding): string {
  const commands = trace.slice(-mostShown).map(toCurl)
  const more = trace.length > mostShown ? [`… ${trace.length - mostShown} requests before`] : []
  return [mask(message), ...more, ...commands].join('\n')
}

const mostShown = 12
const longest = 600

function toCurl({ method, path, headers, body }: Sent): string {
  const text = typeof body === 'string' ? body : Buffer.from(body).toString('latin1')
  const fields = Object.entries(headers).map(([name, value]) => ` -H ${quote(`${name}: ${value}`)}`)
  const data = text === '' ? '' : ` -d ${quote(text.slice(0, longest))}`
  return mask(`curl -X ${method} ${quote(path.slice(0, 200))}${fields.join('')}${data}`)
}

const quote = (text: string): string => `'${text.replaceAll("'", `'\\''`)}'`

/** What opens something, each as a name for it; equal ones stay recognizable. */
export const mask = (text: string): string =>
  text
    .replaceAll(/(service-secret: |"secret":"|"client_secret":")[^'"]*/g, '$1…')
    .replaceAll(/((?:access|public|assets|user|link)-sandbox-)[0-9a-f-]{30}/g, '$1…')
    .replaceAll(/(sv[ar]-)[\w-]{20}/g, '$1…')
    .replaceAll(/(secret-)[0-9a-f]{32}/g, '$1…')
    .replaceAll(/(authorization: Basic )[\w=+/]+/gi, '$1…')
