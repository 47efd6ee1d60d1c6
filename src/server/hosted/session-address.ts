import { hostedLinkPath } from '../link/hosted-page.ts'

/** A step of a session, or a page that says what happened. Nothing in the address is secret. */
export const addressOf = (sessionId: string, step: string): string =>
  `${hostedLinkPath}/session/${encodeURIComponent(sessionId)}/${encodeURIComponent(step)}`

/** An address with a query. */
export const withQuery = (address: string, query: URLSearchParams): string =>
  query.size > 0 ? `${address}?${query}` : address
