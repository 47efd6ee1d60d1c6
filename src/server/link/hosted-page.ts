import { findClient } from '../clients/store.ts'
import type { Context } from '../kernel/context.ts'
import type { Service } from '../kernel/service.ts'
import { findPageEnd } from './link-token-store.ts'

// The address names the client, since rows are found by their client.
const form = /^([A-Za-z0-9_-]{1,128})\.([0-9a-f]{64})$/

/** The address of the page that a key opens. */
export const toHostedLinkUrl = (
  { client, publicUrl }: Pick<Context, 'client' | 'publicUrl'>,
  pageKey: string,
): string => `${publicUrl}/hosted/link/${encode(client.client_id)}.${pageKey}`

const encode = (clientId: string): string => Buffer.from(clientId).toString('base64url')

/** Whether the end of an address opens a page, by its client's clock. */
export async function isHostedLinkOpen(service: Service, key: string): Promise<boolean> {
  const [, encoded = '', pageKey = ''] = form.exec(key) ?? []
  const clientId = Buffer.from(encoded, 'base64url').toString()
  // Text that another encoding would shorten is no address of ours.
  if (pageKey === '' || encode(clientId) !== encoded) return false
  return service.database.read(async (db) => {
    const client = await findClient(db, clientId)
    if (!client || client.disabled_at !== null) return false
    const page = await findPageEnd(db, service.keys, clientId, pageKey)
    return page !== undefined && service.clock() + client.clock_offset_ms < page.page_expires_at
  })
}
