import { Buffer } from 'node:buffer'

/** The size that the contract gives for logos, in pixels. */
export const logoSize = 152
const mostBytes = 64 * 1024

const signature = '89504e470d0a1a0a'
const base64 = /^[A-Za-z0-9+/]+={0,2}$/

/** The bytes of an image in Base64; undefined for any other text. */
export function fromBase64(text: string): Buffer | undefined {
  // A list over several lines of YAML has spaces between them.
  const joined = text.replaceAll(/\s/g, '')
  return base64.test(joined) ? Buffer.from(joined, 'base64') : undefined
}

/** Why an image cannot be a logo; undefined where it can. */
export function whyNoLogo(image: Buffer): string | undefined {
  if (image.length > mostBytes) return `must be at most ${mostBytes / 1024} KiB`
  // The first chunk of a PNG is its header, which begins with width and height.
  if (image.toString('hex', 0, 8) !== signature || image.toString('latin1', 12, 16) !== 'IHDR') {
    return 'must be a PNG image'
  }
  if (image.length < 24 || !image.includes('IEND')) return 'must be a whole PNG image'
  const [width, height] = [image.readUInt32BE(16), image.readUInt32BE(20)]
  if (width === logoSize && height === logoSize) return undefined
  return `must have ${logoSize} by ${logoSize} pixels, and has ${width} by ${height}`
}
