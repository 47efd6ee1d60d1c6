import { crc32, deflateSync } from 'node:zlib'

/** A chunk of a PNG. */
export function chunk(type: string, content: Uint8Array = Buffer.alloc(0)): Buffer {
  const named = Buffer.concat([Buffer.from(type, 'latin1'), content])
  const [length, check] = [Buffer.alloc(4), Buffer.alloc(4)]
  length.writeUInt32BE(content.length)
  check.writeUInt32BE(crc32(named))
  return Buffer.concat([length, named, check])
}

export const pngSignature = Buffer.from('\x89PNG\r\n\x1a\n', 'latin1')

export function pngHeader(width: number, height: number, rest = [8, 0, 0, 0, 0]): Buffer {
  const header = Buffer.alloc(13)
  header.writeUInt32BE(width, 0)
  header.writeUInt32BE(height, 4)
  header.set(rest, 8)
  return chunk('IHDR', header)
}

/** A gray PNG with chunks before and after its pixels. */
export function pngOf(
  width = 320,
  height = 240,
  { before = [], after = [] }: { before?: Buffer[]; after?: Buffer[] } = {},
): Buffer {
  const pixels = chunk('IDAT', deflateSync(Buffer.alloc((width + 1) * Math.min(height, 2000))))
  const parts = [pngSignature, pngHeader(width, height), ...before, pixels, ...after]
  return Buffer.concat([...parts, chunk('IEND')])
}

/** A segment of a JPEG. */
export function segment(marker: number, content: Uint8Array): Buffer {
  const head = Buffer.from([0xff, marker, 0, 0])
  head.writeUInt16BE(content.length + 2, 2)
  return Buffer.concat([head, content])
}

const [soi, eoi] = [Buffer.from([0xff, 0xd8]), Buffer.from([0xff, 0xd9])]
const quantization = segment(0xdb, Buffer.from([0, ...Array(64).fill(1)]))
/** A table with one code, for the value 0. */
const codes = (table: number) => segment(0xc4, Buffer.from([table, 1, ...Array(15).fill(0), 0]))

export function jpegFrame(width: number, height: number, marker = 0xc0): Buffer {
  const content = Buffer.from([8, 0, 0, 0, 0, 1, 1, 0x11, 0])
  content.writeUInt16BE(height, 1)
  content.writeUInt16BE(width, 3)
  return segment(marker, content)
}

const scanHeader = segment(0xda, Buffer.from([1, 1, 0, 0, 63, 0]))

interface JpegParts {
  before?: readonly Buffer[]
  frame?: Buffer
  after?: Buffer
  scans?: number
}

/** A gray JPEG of one component, that every browser shows. */
export function jpegOf(
  width = 320,
  height = 240,
  {
    before = [],
    frame = jpegFrame(width, height),
    after = Buffer.alloc(0),
    scans = 1,
  }: JpegParts = {},
): Buffer {
  const blocks = Math.ceil(Math.min(width, 2000) / 8) * Math.ceil(Math.min(height, 2000) / 8)
  const scan = Buffer.concat([scanHeader, Buffer.alloc(Math.ceil(blocks / 4))])
  const start = [soi, ...before, quantization, frame, codes(0), codes(0x10)]
  return Buffer.concat([...start, ...Array<Buffer>(scans).fill(scan), eoi, after])
}

/** EXIF data with an orientation, a place of recording and a device. */
export function exifOf(orientation: number, isLittle = true): Buffer {
  const tiff = Buffer.alloc(8 + 2 + 3 * 12 + 4 + 40)
  const write16 = (value: number, at: number) =>
    isLittle ? tiff.writeUInt16LE(value, at) : tiff.writeUInt16BE(value, at)
  const write32 = (value: number, at: number) =>
    isLittle ? tiff.writeUInt32LE(value, at) : tiff.writeUInt32BE(value, at)
  tiff.write(isLittle ? 'II' : 'MM', 'latin1')
  write16(42, 2)
  write32(8, 4)
  write16(3, 8)
  const entries: [tag: number, type: number, count: number, value: number][] = [
    [0x0110, 2, 20, 50],
    [0x0112, 3, 1, orientation],
    [0x8825, 4, 1, 70],
  ]
  for (const [index, [tag, type, count, value]] of entries.entries()) {
    const at = 10 + index * 12
    write16(tag, at)
    write16(type, at + 2)
    write32(count, at + 4)
    if (type === 3) write16(value, at + 8)
    else write32(value, at + 8)
  }
  tiff.write('SECRET-DEVICE SECRET-PLACE', 50, 'latin1')
  return segment(0xe1, Buffer.concat([Buffer.from('Exif\0\0', 'latin1'), tiff]))
}
