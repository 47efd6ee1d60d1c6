/** What opens a page: the address of a link token ends with it, and so does the cookie of a session. */
export interface PageKey {
  clientId: string
  secret: string
}

// It names the client, since rows are found by their client.
const form = /^([A-Za-z0-9_-]{1,128})\.([0-9a-f]{64})$/

const encode = (clientId: string): string => Buffer.from(clientId).toString('base64url')

export const writePageKey = ({ clientId, secret }: PageKey): string =>
  `${encode(clientId)}.${secret}`

/** Undefined for text that `writePageKey` never returns. */
export function readPageKey(text: string): PageKey | undefined {
  const [, encoded = '', secret = ''] = form.exec(text) ?? []
  const clientId = Buffer.from(encoded, 'base64url').toString()
  // One client has one encoding.
  return secret === '' || encode(clientId) !== encoded ? undefined : { clientId, secret }
}
