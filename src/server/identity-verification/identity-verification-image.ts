import { findClient } from '../clients/store.ts'
import { drawImage } from '../kernel/draw-image.ts'
import type { Service } from '../kernel/service.ts'
import { verifyImageUrl } from './image-url.ts'
import { picturesOf } from './pictures/of-attempt.ts'
import type { ServedImage } from './pictures/picture.ts'
import { readPicture } from './pictures/store.ts'
import { findPicturesOf } from './store.ts'

const [width, height] = [320, 200]

/** The picture behind a link of an attempt, while the link works by its client's clock. */
export async function identityVerificationImage(
  service: Service,
  path: string,
): Promise<ServedImage | undefined> {
  const link = verifyImageUrl(service.keys, path)
  if (!link) return undefined
  return service.database.read(async (db) => {
    const client = await findClient(db, link.client_id)
    if (!client || service.clock() + client.clock_offset_ms >= link.expires) return undefined
    const attempt = await findPicturesOf(db, link.client_id, link.attempt_id)
    if (!attempt) return undefined
    const isUpload = picturesOf(attempt).some(({ name }) => name === link.name)
    // An upload that is deleted must not come back as an invented picture.
    if (isUpload) return readPicture(db, service.keys, link)
    if (service.settings.environment === 'production') return undefined
    return { type: 'png', bytes: drawImage(`${link.attempt_id}/${link.name}`, width, height) }
  })
}
