import { crc32 } from 'node:zlib'
import { checkSize, type Picture, RejectedPicture } from './picture.ts'

const signature = Buffer.from('\x89PNG\r\n\x1a\n', 'latin1')

export const isPng = (bytes: Buffer): boolean =>
  bytes.subarray(0, signature.length).equals(signature)

/** Chunks without which the picture looks different. Text, EXIF, times and animations are left out. */
const kept: readonly string[] = ['IHDR', 'PLTE', 'tRNS', 'gAMA', 'cHRM', 'sRGB', 'IDAT', 'IEND']
/** Length, type and checksum of a chunk. */
const around = 12
/** Each costs memory. Programs write chunks of 8 KB or more. */
const mostChunks = 5000
/** The bit depths of each color type. */
const depths: Readonly<Record<number, readonly number[]>> = {
  0: [1, 2, 4, 8, 16],
  2: [8, 16],
  3: [1, 2, 4, 8],
  4: [8, 16],
  6: [8, 16],
}

interface Chunk {
  type: string
  content: Buffer
  whole: Buffer
}

/** Copies a PNG without what a browser does not need. Throws `RejectedPicture`. */
export function rewritePng(bytes: Buffer): Picture {
  const parts: Buffer[] = [signature]
  let size: { width: number; height: number } | undefined
  let hasPixels = false
  for (const chunk of eachChunk(bytes)) {
    if ((size === undefined) !== (chunk.type === 'IHDR')) throw new RejectedPicture('broken')
    size ??= readHeader(chunk.content)
    if (chunk.type === 'IDAT') hasPixels = true
    if (kept.includes(chunk.type)) parts.push(chunk.whole)
    else if (isCritical(chunk.type)) throw new RejectedPicture('broken')
  }
  if (!size || !hasPixels) throw new RejectedPicture('broken')
  return { type: 'png', ...size, bytes: Buffer.concat(parts) }
}

/** The chunks up to the last one. Throws `RejectedPicture`. */
export function* eachChunk(bytes: Buffer): Generator<Chunk> {
  for (let at = signature.length, count = 0; ; count += 1) {
    if (count > mostChunks) throw new RejectedPicture('broken')
    const chunk = readChunk(bytes, at)
    yield chunk
    if (chunk.type === 'IEND') return
    at += chunk.whole.length
  }
}

function readChunk(bytes: Buffer, at: number): Chunk {
  if (at + around > bytes.length) throw new RejectedPicture('broken')
  const end = at + around + bytes.readUInt32BE(at)
  if (end > bytes.length) throw new RejectedPicture('broken')
  const named = bytes.subarray(at + 4, end - 4)
  if (crc32(named) !== bytes.readUInt32BE(end - 4)) throw new RejectedPicture('broken')
  const type = named.toString('latin1', 0, 4)
  return { type, content: named.subarray(4), whole: bytes.subarray(at, end) }
}

/** A capital letter says that the picture cannot be shown without the chunk. */
const isCritical = (type: string): boolean => /^[A-Z]/.test(type)

function readHeader(content: Buffer): { width: number; height: number } {
  if (content.length !== 13) throw new RejectedPicture('broken')
  const [width, height] = [content.readUInt32BE(0), content.readUInt32BE(4)]
  const [depth = 0, color = 0, compression, filter, interlace = 0] = content.subarray(8)
  const isKnown = depths[color]?.includes(depth) && compression === 0 && filter === 0
  if (!isKnown || interlace > 1) throw new RejectedPicture('broken')
  checkSize(width, height)
  return { width, height }
}
