/**
 * Collects headers. What the platform says of a value that it refuses contains the value, which may
 * be a secret; this says which header it is.
 *
 * @throws TypeError when a value has characters that no header can carry.
 */
export function toHeaders(...parts: Record<string, string | undefined>[]): Headers {
  const headers = new Headers()
  for (const [name, value] of parts.flatMap((part) => Object.entries(part))) {
    if (value === undefined) continue
    try {
      headers.set(name, value)
    } catch {
      throw new TypeError(`the header ${name} has a character that no header can carry`)
    }
  }
  return headers
}
