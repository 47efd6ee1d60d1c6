import { isLoopbackHost } from '../kernel/loopback.ts'

/** Says whether pages of an origin may call the service, which they reach as `host`. */
type OriginRule = (origin: string, host: string | undefined) => boolean

interface AllowedOrigins {
  /** Origins that were named, each as browsers send it. */
  named: readonly string[]
  /** Whether pages on loopback are let in as well. */
  loopback: boolean
  publicUrl(): string
}

/** The service's own origin, those that were named, and in the sandbox those on loopback. */
export function createOriginRule({ named, loopback, publicUrl }: AllowedOrigins): OriginRule {
  return (origin, host) => {
    if (named.includes(origin)) return true
    if (!/^https?:\/\//.test(origin) || !URL.canParse(origin)) return false
    const url = new URL(origin)
    // What comes after a host is no part of an origin.
    if (url.origin !== origin) return false
    return (
      url.host === host ||
      origin === originOf(publicUrl()) ||
      (loopback && isLoopbackHost(url.hostname))
    )
  }
}

const originOf = (url: string): string | undefined =>
  URL.canParse(url) ? new URL(url).origin : undefined
