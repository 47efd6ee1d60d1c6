import { createHash } from 'node:crypto'
import type { LinkSession } from '../../../generated/platform/closed.ts'

/** Tells the window that opened the page, where it is of the one origin that may know. */
export const teller = `const { origin, session } = document.body.dataset
if (opener) opener.postMessage({ source: 'financial-data-service-link', session: JSON.parse(session) }, origin)
`

/** The address changes with the content, so a browser can keep it. */
export const tellerPath = `/hosted/teller-${createHash('sha256').update(teller).digest('hex').slice(0, 16)}.js`

/** What a page tells the window that opened it. */
export interface Told {
  origin: string
  session: LinkSession
}
