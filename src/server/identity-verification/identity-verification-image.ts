import { findClient } from '../clients/store.ts'
import { drawImage } from '../kernel/draw-image.ts'
import type { Service } from '../kernel/service.ts'
import { verifyImageUrl } from './image-url.ts'
import { hasAttempt } from './store.ts'

const [width, height] = [320, 200]

/** The PNG behind a link of an attempt, while the link works by its client's clock. */
export async function identityVerificationImage(
  service: Service,
  path: string,
): Promise<Uint8Array | undefined> {
  const link = verifyImageUrl(service.keys, path)
  if (!link) return undefined
  const isThere = await service.database.read(async (db) => {
    const client = await findClient(db, link.client_id)
    if (!client || service.clock() + client.clock_offset_ms >= link.expires) return false
    return hasAttempt(db, link.client_id, link.attempt_id)
  })
  return isThere ? drawImage(`${link.attempt_id}/${link.name}`, width, height) : undefined
}
