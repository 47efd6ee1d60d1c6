import { request as httpRequest, type RequestOptions } from 'node:http'
import https from 'node:https'
import { syncBuiltinESMExports } from 'node:module'

/**
 * Has what is sent to a public host by https arrive at a receiver on this machine, as if that were
 * the host. Returns what ends this.
 */
export function redirectHttps(host: string, to: string): () => void {
  const original = https.request
  const replace = (request: unknown) => {
    Object.assign(https, { request })
    syncBuiltinESMExports()
  }
  replace((target: URL, options: RequestOptions) => {
    if (target.hostname !== host) return original(target, options)
    const { lookup: _, ...rest } = options
    return httpRequest(new URL(target.pathname + target.search, to), rest)
  })
  return () => replace(original)
}
