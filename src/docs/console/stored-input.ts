import type { ConsoleInput } from './request.ts'

const key = 'request-console'

type Stored = Pick<ConsoleInput, 'address' | 'clientId' | 'secret' | 'version'>

/** What the reader set on an earlier page of this tab; the browser discards it with the tab. */
export function storedInput(): Partial<Stored> {
  try {
    return JSON.parse(sessionStorage.getItem(key) ?? '{}')
  } catch {
    // A browser that blocks storage throws; the console then starts with the defaults.
    return {}
  }
}

export function storeInput({ address, clientId, secret, version }: ConsoleInput): void {
  const stored: Stored = { address, clientId, secret, version }
  try {
    sessionStorage.setItem(key, JSON.stringify(stored))
  } catch {
    // See storedInput: the values then last for this page only.
  }
}
