/** Shorter texts stand in many messages by chance. */
const shortest = 6

/** The texts in a value that must stay secret, as they may be written elsewhere. */
export function secretTexts(...values: readonly unknown[]): string[] {
  const found = new Set<string>()
  const visit = (value: unknown): void => {
    if (typeof value === 'string') for (const form of formsOf(value)) found.add(form)
    else if (typeof value === 'object' && value !== null) Object.values(value).forEach(visit)
  }
  values.forEach(visit)
  // The longest first: it may contain others.
  return [...found].sort((one, other) => other.length - one.length)
}

function formsOf(text: string): string[] {
  const parts = [text, ...credentialsIn(text)]
  return parts
    .flatMap((part) => {
      const base64 = toBase64(part)
      return [
        part,
        JSON.stringify(part).slice(1, -1),
        encodeURIComponent(part.toWellFormed()),
        inForm(part),
        base64,
        base64.replaceAll('+', '-').replaceAll('/', '_'),
      ]
    })
    .filter((part) => part.length >= shortest)
}

/** As the body of a form has it: a space is a plus sign. */
const inForm = (text: string): string => new URLSearchParams([['', text]]).toString().slice(1)

/** The user and the password of an address. */
function credentialsIn(text: string): string[] {
  if (!URL.canParse(text)) return []
  const { username, password } = new URL(text)
  return [username, password, `${username}:${password}`].filter((part) => part.length > 1)
}

const toBase64 = (text: string): string =>
  btoa(String.fromCharCode(...new TextEncoder().encode(text))).replace(/=+$/, '')

/** Whether a text in a value, or a name in it, has one of these secrets. */
export function holdsSecret(value: unknown, secrets: readonly string[]): boolean {
  if (typeof value === 'string') return hasSecret(value, secrets)
  if (typeof value !== 'object' || value === null) return false
  return Object.entries(value).some(
    ([name, one]) => hasSecret(name, secrets) || holdsSecret(one, secrets),
  )
}

/** Whether a text has one of these secrets. */
export const hasSecret = (text: string, secrets: readonly string[]): boolean =>
  secrets.some((secret) => text.includes(secret))

/** The text without these secrets. */
export const hideSecrets = (text: string, secrets: readonly string[]): string =>
  secrets.reduce((hidden, secret) => hidden.replaceAll(secret, '[hidden]'), text)
