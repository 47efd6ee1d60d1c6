import { crc32, deflateSync } from 'node:zlib'

const [grayscale, bitDepth] = [0, 8]
const border = 12

/** A plain picture, framed, in a shade of its own for each name: nobody's document or logo. */
export function drawImage(name: string, width: number, height: number): Uint8Array {
  const shade = 96 + (crc32(name) % 128)
  const key = `${shade} ${width} ${height}`
  const drawn = images.get(key) ?? draw(shade, width, height)
  images.set(key, drawn)
  return drawn
}

/** There are few shades and sizes, and to draw one takes longer than all else of a request. */
const images = new Map<string, Uint8Array>()

const draw = (shade: number, width: number, height: number): Uint8Array =>
  toPng(pixels(shade, width, height), width, height)

/** A PNG of rows with a byte for each pixel. Each row begins with a zero. */
export function toPng(rows: Buffer, width: number, height: number): Uint8Array {
  const header = Buffer.alloc(13)
  header.writeUInt32BE(width, 0)
  header.writeUInt32BE(height, 4)
  header.set([bitDepth, grayscale], 8)
  return Buffer.concat([
    Buffer.from('\x89PNG\r\n\x1a\n', 'latin1'),
    chunk('IHDR', header),
    chunk('IDAT', deflateSync(rows)),
    chunk('IEND', Buffer.alloc(0)),
  ])
}

/** Rows of one byte a pixel, each after a byte that says how it is filtered: not at all. */
function pixels(shade: number, width: number, height: number): Buffer {
  const rows = Buffer.alloc((width + 1) * height)
  for (let y = border; y < height - border; y += 1) {
    const start = y * (width + 1) + 1
    rows.fill(shade, start + border, start + width - border)
  }
  return rows
}

function chunk(type: string, content: Uint8Array): Buffer {
  const named = Buffer.concat([Buffer.from(type, 'latin1'), content])
  const length = Buffer.alloc(4)
  length.writeUInt32BE(content.length)
  const check = Buffer.alloc(4)
  check.writeUInt32BE(crc32(named))
  return Buffer.concat([length, named, check])
}
