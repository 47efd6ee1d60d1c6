import type { Keys } from '../kernel/keys.ts'

/** What a source lets the service in with, as it is stored: encrypted JSON. */
export const sealSecret = ({ encrypt }: Keys, secret: unknown): string =>
  encrypt(JSON.stringify(secret))

export const openSecret = ({ decrypt }: Keys, sealed: string): unknown =>
  JSON.parse(decrypt(sealed))
