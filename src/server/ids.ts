import { randomBytes } from 'node:crypto'

const letters = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789'
const requestIdLength = 15

/** A new `request_id`. */
export function newRequestId(): string {
  // Bytes past the last whole multiple of the alphabet would favour its first letters.
  const fair = 256 - (256 % letters.length)
  let id = ''
  while (id.length < requestIdLength) {
    for (const byte of randomBytes(requestIdLength)) {
      if (byte < fair && id.length < requestIdLength) id += letters[byte % letters.length]
    }
  }
  return id
}
