import { encryptedColumns } from '../../src/server/data-keys/encrypted-columns.ts'
import type { Body, TestService } from './service.ts'

/** What no agent may read, by its kind. */
export type Secrets = Map<string, string>

/** Fields of answers that let somebody in, or that tell a full number of an account or a person. */
const kinds: readonly [kind: string, fields: RegExp][] = [
  ['a token', /_token$/],
  ['a secret of a client', /^(client_)?secret$/],
  ['the link of a hosted page', /^(hosted_link_url|shareable_url)$/],
  ['a number of an account', /^(account|routing|wire_routing|sort_code|iban)$|account_number$/],
  ['a social security number', /^ssn/],
  ['the key of a dashboard link', /^key$/],
]

/** Shorter texts are parts of many others. */
const shortest = 8

interface Asked {
  url: string
  payload?: unknown
}

interface Answered {
  payload: string
  headers: Record<string, string | string[] | undefined>
}

/**
 * Notes what a service hands out in its answers, and what it is sent: tokens, secrets, numbers, keys
 * of pages and cookies. The map grows with each call.
 */
export function noteIssued(service: TestService): Secrets {
  const secrets: Secrets = new Map()
  const inject = service.app.inject.bind(service.app) as unknown as (
    asked: Asked,
  ) => Promise<Answered>
  const noting = async (asked: Asked): Promise<Answered> => {
    const answer = await inject(asked)
    // What agents are told is searched, so it must name nothing to search for.
    if (asked.url === '/mcp') return answer
    noteText(secrets, String(asked.payload ?? ''))
    noteText(secrets, answer.payload)
    for (const line of [answer.headers['set-cookie'] ?? []].flat()) {
      add(secrets, 'a cookie', /=([^;]*)/.exec(line)?.[1] ?? '')
    }
    return answer
  }
  service.app.inject = noting as never
  return secrets
}

function noteText(secrets: Secrets, text: string): void {
  // Pages, forms and pictures have no fields.
  if (!text.startsWith('{')) return
  JSON.parse(text, (name, value) => {
    const kind = kinds.find(([, fields]) => fields.test(name))?.[0]
    if (typeof value === 'string' && kind !== undefined) {
      // Of a link the key is the secret: the rest of the address is known.
      add(secrets, kind, /[0-9a-f]{64}$/.exec(value)?.[0] ?? value)
    }
    if (name === 'id_number') add(secrets, 'a national number', (value as Body | null)?.['value'])
    return value
  })
}

const isMasked = /masked|redacted/

function add(secrets: Secrets, kind: string, value: unknown): void {
  if (typeof value !== 'string' || value.length < shortest || isMasked.test(value)) return
  secrets.set(value, kind)
}

/** Columns whose plain text is one secret. */
const single: Readonly<Record<string, string>> = {
  'accounts.liability_account_number': 'a number of an account',
  'accounts.account_number': 'a number of an account',
  'accounts.routing_number': 'a number of an account',
  'accounts.wire_routing_number': 'a number of an account',
  'asset_reports.ssn': 'a social security number',
  'identity_verifications.share_key': 'the key of a hosted page',
  'identity_verifications.id_number_value': 'a national number',
  'public_tokens.access_token': 'a token',
  'link_tokens.link_token': 'a token',
  'users.ssn_full': 'a social security number',
  'wallets.account': 'a number of an account',
  'wallets.sort_code': 'a number of an account',
  'wallets.iban': 'a number of an account',
  'webhook_keys.private_key': 'a key that signs webhooks',
}

/** What a service has stored encrypted: numbers of accounts and persons, keys, and its tokens. */
export async function noteStored({ service }: TestService, secrets: Secrets): Promise<void> {
  const { database, keys } = service
  for (const { table, columns } of encryptedColumns) {
    const rows = await database.read((db) =>
      db.all<Record<string, string | null>>(`select ${columns.join(', ')} from ${table}`),
    )
    for (const row of rows) {
      for (const column of columns) {
        const kind = single[`${table}.${column}`]
        const value = row[column] ?? null
        if (kind === undefined || value === null) continue
        const plain = keys.decrypt(value)
        if (column === 'private_key') addKey(secrets, kind, plain)
        else add(secrets, kind, plain)
      }
    }
  }
}

/** The part of a private key that no public key has. */
function addKey(secrets: Secrets, kind: string, text: string): void {
  const isJwk = text.startsWith('{')
  add(secrets, kind, isJwk ? (JSON.parse(text) as { d: string }).d : text)
}

/** Whether a text tells a secret; a number is told where it stands by itself. */
export function tells(text: string, secret: string): boolean {
  if (!text.includes(secret)) return false
  return !/^\d+$/.test(secret) || new RegExp(`(?<![\\w.-])${secret}(?![\\w-])`).test(text)
}
