/** The path of the pages of identity verifications. */
export const verifyPath = '/verify'

/** A question of a session, or a page that says what happened. Nothing in the address is secret. */
export const addressOf = (sessionId: string, page: string): string =>
  `${verifyPath}/session/${encodeURIComponent(sessionId)}/${encodeURIComponent(page)}`

/** The address of an attempt that its key opens. */
export const attemptAddress = (id: string, key: string): string =>
  `${verifyPath}/${encodeURIComponent(id)}?key=${key}`
