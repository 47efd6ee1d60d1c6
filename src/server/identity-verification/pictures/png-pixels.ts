import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { createInflate } from 'node:zlib'
import { eachChunk } from './png.ts'

/** The samples of a pixel by color type. */
const samplesOf: Readonly<Record<number, number>> = { 0: 1, 2: 3, 3: 1, 4: 2, 6: 4 }

/** Where the passes of an interlaced picture begin, and their steps. */
const passes = [
  [0, 0, 8, 8],
  [4, 0, 8, 8],
  [0, 4, 4, 8],
  [2, 0, 4, 4],
  [0, 2, 2, 4],
  [1, 0, 2, 2],
  [0, 1, 1, 2],
] as const

/**
 * Whether a PNG that was rewritten has the data of its pixels: all of it, and no more, which would
 * fill the memory of whoever shows it. The data is decompressed in small parts in another thread, and
 * none is kept.
 */
export async function hasAllPixels(png: Uint8Array): Promise<boolean> {
  const bytes = Buffer.from(png.buffer, png.byteOffset, png.byteLength)
  const data: Buffer[] = []
  let expected = 0
  for (const { type, content } of eachChunk(bytes)) {
    if (type === 'IHDR') expected = lengthOf(content)
    if (type === 'IDAT') data.push(content)
  }
  const inflate = createInflate()
  // The loop meets its errors as well.
  void pipeline(Readable.from(data), inflate).catch(() => {})
  let length = 0
  try {
    for await (const part of inflate) {
      length += part.length
      if (length > expected) return false
    }
  } catch {
    return false
  }
  return length === expected
}

/** How many bytes the pixels have: each line begins with one more. */
function lengthOf(header: Buffer): number {
  const [width, height] = [header.readUInt32BE(0), header.readUInt32BE(4)]
  const [depth = 0, color = 0, , , interlace] = header.subarray(8)
  const bits = depth * (samplesOf[color] ?? 0)
  const lines = (across: number, down: number) =>
    across > 0 ? down * (1 + Math.ceil((across * bits) / 8)) : 0
  if (interlace === 0) return lines(width, height)
  return passes.reduce((sum, [left, top, stepX, stepY]) => {
    const across = Math.ceil((width - left) / stepX)
    return sum + lines(Math.max(0, across), Math.max(0, Math.ceil((height - top) / stepY)))
  }, 0)
}
