import type { Session } from './session.ts'
import type { Body } from './subjects.ts'

/** A thing that an answer shows. */
export interface Shown {
  kind: string
  id: string
  /** The operation whose answer shows it. */
  by: string
  /** The access token of the Item that it was read from. */
  item: string | undefined
  fields: Body
}

const singular = (name: string): string =>
  ({ added: 'transaction', modified: 'transaction' })[name] ?? name.replace(/s$/, '')

/** What a path is about: `/wallet/get` is about a wallet. */
const nounOf = (path: string): string => path.split('/').at(-2) ?? ''

/** Its own id: an `event_id` is that of a `bank_transfer_event`. What is owed goes by its account. */
function idOf(kind: string, fields: Body): unknown {
  const own = Object.keys(fields).find(
    (name) => name.endsWith('_id') && kind.endsWith(name.slice(0, -3)),
  )
  return fields['id'] ?? fields[own ?? 'account_id']
}

/** Everything in an answer that has an id of its own, at any depth. */
export function thingsIn(answer: unknown, path: string, by: string, item?: string): Shown[] {
  const found: Shown[] = []
  const visit = (value: unknown, name: string, within: string): void => {
    if (Array.isArray(value)) for (const member of value) visit(member, name, within)
    else if (typeof value === 'object' && value !== null) {
      const kind = within + singular(name)
      const { request_id: _, ...fields } = value as Body
      const id = idOf(singular(name), fields)
      if (isId(id) && name !== 'template') found.push({ kind, id: String(id), by, item, fields })
      // A report keeps what it was made of, whatever becomes of that.
      const inner = name === 'report' ? `${id} ` : within
      for (const [key, member] of Object.entries(fields)) visit(member, key, inner)
    }
  }
  visit(answer, nounOf(path), '')
  return found
}

const isId = (value: unknown): boolean =>
  (typeof value === 'string' && value !== '') || typeof value === 'number'

/** Everything that one tenant can see, as several reads show it one after the other. */
export type Picture = Shown[]

export type Read = [operationId: string, body: Body, item?: string]

const wide = { start_date: '2020-01-01', end_date: '2099-12-31', options: { count: 500 } }
const mostItems = 2

/** The newest of a kind that one has. */
const newest = ({ memory }: Session, who: number, kind: string, most: number): string[] =>
  memory
    .all(kind)
    .filter((one) => one.owner === who && !one.ended)
    .slice(-most)
    .map(({ value }) => value)

/** What is read for a picture: the same before and after, or there would be nothing to compare. */
export function readsOf(session: Session, who: number): Read[] {
  const items = newest(session, who, 'item', mostItems)
  const own = (kind: string, most = 2) => newest(session, who, kind, most)
  const templates = ['idvtmp_00000000000kyc', 'idvtmp_00000000000all', ...own('template', 1)]
  return [
    ...items.flatMap((access_token): Read[] => [
      ['accountsGet', { access_token }, access_token],
      ['identityGet', { access_token }, access_token],
      ['liabilitiesGet', { access_token }, access_token],
      ['transactionsGet', { access_token, ...wide }, access_token],
      ['transactionsSync', { access_token, count: 500 }, access_token],
    ]),
    ['walletList', { count: 20 }],
    ...own('wallet').map((wallet_id): Read => ['walletGet', { wallet_id }]),
    ['dashboardUserList', {}],
    ...[...new Set(templates)].map(
      (template_id): Read => ['identityVerificationList', { template_id }],
    ),
    ...own('transfer').map((transfer_id): Read => ['transferGet', { transfer_id }]),
    ...own('report', 1).map(
      (asset_report_token): Read => ['assetReportGet', { asset_report_token }],
    ),
    ...own('key', 1).map((key_id): Read => ['webhookVerificationKeyGet', { key_id }]),
    ['bankTransferEventSync', { count: 25 }],
  ]
}

/** Reads what a tenant has; what is rejected is left out. */
export async function takePicture(
  session: Session,
  who: number,
  reads: readonly Read[],
): Promise<Picture> {
  const picture: Picture = []
  for (const [operationId, body, item] of reads) {
    const { status, json } = await session.ask(operationId, who, body)
    const path = session.subjects.get(operationId)?.path ?? ''
    if (status === 200) picture.push(...thingsIn(json, path, operationId, item))
  }
  return picture
}
