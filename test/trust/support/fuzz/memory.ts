import type { Body } from './subjects.ts'

/** What an id, token or cursor is good for. */
export type Kind = string

/** A value of a response. */
export interface Known {
  kind: Kind
  value: string
  /** The place of its tenant. */
  owner: number
  /** The access token of the Item that it belongs to. */
  item?: string | undefined
  /** Whether it has been removed, revoked or used up. */
  ended: boolean
}

/** What the responses of a run have contained so far. */
export interface Memory {
  learn(owner: number, operationId: string, request: Body, answer: unknown): void
  add(known: Omit<Known, 'ended'>): void
  all(kind: Kind): Known[]
  find(value: string): Known | undefined
  end(value: string): void
  /** Notes which values stood in one call that was done. */
  join(owner: number, fields: Body): void
  /** What the fields of these names were in one such call, the latest ones first. */
  joined(owner: number, names: readonly string[]): Record<string, string>[]
  /** Forgets what a tenant had: it was reset. */
  endAll(owner: number): void
}

/** The kind of what stands in a field of an answer, where it is one that requests can name. */
const byField: Readonly<Record<string, Kind>> = {
  access_token: 'item',
  new_access_token: 'item',
  refresh_token: 'refresh',
  public_token: 'public',
  account_id: 'account',
  transaction_id: 'transaction',
  transaction_ids: 'transaction',
  asset_report_token: 'report',
  asset_report_id: 'report_id',
  user_token: 'user_token',
  user_id: 'user',
  wallet_id: 'wallet',
  recipient_id: 'recipient',
  transfer_id: 'transfer',
  authorization_id: 'authorization',
  refund_id: 'refund',
  bank_transfer_id: 'bank_transfer',
  template_id: 'template',
  webhook_id: 'webhook',
  key_id: 'key',
  kid: 'key',
  item_id: 'item_id',
  institution_id: 'institution',
  client_id: 'client',
  public_key: 'public_key',
}

/** Fields whose meaning depends on the object that they stand in. */
function kindOf(operationId: string, holder: string, name: string): Kind | undefined {
  if (name === 'access_token' && operationId === 'oauthToken') return 'bearer'
  if (name === 'next_cursor') return `cursor of ${operationId}`
  if (name !== 'id') return byField[name]
  if (holder === 'transfer' || holder === 'template') return holder
  if (holder === 'refund' || holder === 'refunds') return 'refund'
  if (holder === 'dashboard_users' || operationId === 'sandboxDashboardUserCreate') {
    return 'dashboard_user'
  }
  return operationId.toLowerCase().includes('identityverification') ? 'verification' : undefined
}

const mostOfKind = 400

export function createMemory(): Memory {
  const kinds = new Map<Kind, Known[]>()
  const values = new Map<string, Known>()
  const calls: { owner: number; texts: Record<string, string> }[] = []

  function add(known: Omit<Known, 'ended'>): void {
    if (known.value === '' || values.has(known.value)) return
    const list = kinds.get(known.kind) ?? []
    kinds.set(known.kind, list)
    const kept = { ...known, ended: false }
    values.set(known.value, kept)
    // A list that is full keeps its first ones, which most of what follows builds on.
    if (list.length < mostOfKind) list.push(kept)
  }

  return {
    add,
    learn(owner, operationId, request, answer) {
      const token = request['access_token']
      const item = typeof token === 'string' ? token : undefined
      const visit = (value: unknown, holder: string, name: string): void => {
        if (Array.isArray(value)) {
          for (const member of value) visit(member, holder === name ? holder : name, name)
          return
        }
        if (typeof value === 'object' && value !== null) {
          for (const [key, member] of Object.entries(value)) visit(member, name, key)
          return
        }
        const kind = typeof value === 'string' ? kindOf(operationId, holder, name) : undefined
        if (kind) add({ kind, value: value as string, owner, item })
      }
      visit(answer, '', '')
    },
    all: (kind) => kinds.get(kind) ?? [],
    find: (value) => values.get(value),
    join(owner, fields) {
      const texts = Object.entries(fields).filter(
        (entry): entry is [string, string] => /_id$/.test(entry[0]) && typeof entry[1] === 'string',
      )
      if (texts.length > 1) calls.unshift({ owner, texts: Object.fromEntries(texts) })
      calls.splice(mostOfKind)
    },
    joined: (owner, names) =>
      calls
        .filter((one) => one.owner === owner && names.every((name) => name in one.texts))
        .map(({ texts }) => texts),
    end(value) {
      const known = values.get(value)
      if (known) known.ended = true
    },
    endAll(owner) {
      for (const known of values.values()) if (known.owner === owner) known.ended = true
    },
  }
}
