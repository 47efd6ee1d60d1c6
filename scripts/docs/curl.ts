import type { Contract } from '../contract/contract.ts'
import { settings } from '../contract/settings.ts'

/** A request, as the contract's examples and the error catalogue write it. */
interface CurlRequest {
  path: string
  /** POST, unless said. */
  method?: string
  headers?: Record<string, string | null>
  body?: unknown
  raw?: string
  form?: boolean
}

/** A request example of an operation, to be written as a sample. */
export interface SampleRequest {
  contract: Contract
  path: string
  body: unknown
  form: boolean
}

/** The request as a command, with the sandbox's credentials unless the body brings its own. */
export function curlCommand(contract: Contract, request: CurlRequest): string {
  const { path, method, body, raw, form = false } = request
  const headers = {
    'Content-Type': form ? null : 'application/json',
    ...(hasCredentials(body) ? {} : credentialHeaders(contract)),
    ...request.headers,
  }
  const lines = Object.entries(headers)
    .filter(([, value]) => value !== null)
    .map(([name, value]) => `-H ${quote(`${name}: ${value}`)}`)
  const data = form ? formLines(body) : [`-d ${quote(raw ?? JSON.stringify(body, null, 2))}`]
  const start = method === undefined ? 'curl' : `curl -X ${method}`
  return [`${start} ${contract.servers[0]!.url}${path}`, ...lines, ...data].join(' \\\n  ')
}

/** The headers that carry client id and secret, filled in for a fresh sandbox. */
export function credentialHeaders({ components }: Contract): Record<string, string> {
  const { clientId, clientSecret } = components.securitySchemes
  const { client_id: id, secret } = settings.credentials
  return {
    [String(clientId!['name'])]: id,
    [String(clientSecret!['name'])]: secret,
  }
}

/** Whether the body itself says who sends it. */
export const hasCredentials = (body: unknown): boolean =>
  typeof body === 'object' && body !== null && ('client_id' in body || 'public_key' in body)

const formLines = (body: unknown): string[] =>
  Object.entries(body as object).map(
    ([name, value]) => `--data-urlencode ${quote(`${name}=${value}`)}`,
  )

/** Quoted for a shell; a quote inside ends the string, stands alone, and opens it again. */
const quote = (text: string): string => `'${text.replaceAll("'", "'\\''")}'`
