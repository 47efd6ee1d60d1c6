import { isJpeg, rewriteJpeg } from './jpeg.ts'
import { mostPictureBytes, type Picture, type PictureProblem, RejectedPicture } from './picture.ts'
import { isPng, rewritePng } from './png.ts'
import { hasAllPixels } from './png-pixels.ts'

/** The same for an upload, whose pixels are counted as well. */
export async function checkUpload(bytes: Uint8Array): Promise<ReturnType<typeof checkPicture>> {
  const checked = checkPicture(bytes)
  if ('problem' in checked || checked.type !== 'png') return checked
  return (await hasAllPixels(checked.bytes)) ? checked : { problem: 'broken' }
}

/**
 * Checks a file by its bytes, and copies what a browser needs to show it. The pixels are never
 * decoded, so a small file with many pixels costs no memory. The copy has no place of recording, no
 * device, no preview, no comment, and nothing that stands after the picture. A file that is also of
 * another type, such as a page or an archive, is only a picture afterwards.
 */
export function checkPicture(bytes: Uint8Array): Picture | { problem: PictureProblem } {
  try {
    return rewrite(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength))
  } catch (error) {
    if (error instanceof RejectedPicture) return { problem: error.problem }
    throw error
  }
}

function rewrite(bytes: Buffer): Picture {
  if (bytes.length === 0) throw new RejectedPicture('empty')
  if (bytes.length > mostPictureBytes) throw new RejectedPicture('too_large')
  if (isJpeg(bytes)) return rewriteJpeg(bytes)
  if (isPng(bytes)) return rewritePng(bytes)
  throw new RejectedPicture('wrong_type')
}
