/** The field of EXIF data that says how a picture is turned. */
const orientationTag = 0x0112
const short = 3
const head = Buffer.from('Exif\0\0', 'latin1')
/** Byte order, the number 42, and where the first directory begins. */
const headerLength = 8
const entryLength = 12

/** How a picture is turned, from 1 to 8; undefined if its EXIF data does not say so. */
export function orientationOf(content: Buffer): number | undefined {
  if (!content.subarray(0, head.length).equals(head)) return undefined
  const tiff = content.subarray(head.length)
  if (tiff.length < headerLength) return undefined
  const isLittle = tiff.toString('latin1', 0, 2) === 'II'
  const read16 = (at: number) => (isLittle ? tiff.readUInt16LE(at) : tiff.readUInt16BE(at))
  const directory = isLittle ? tiff.readUInt32LE(4) : tiff.readUInt32BE(4)
  if (directory + 2 > tiff.length) return undefined
  const count = read16(directory)
  for (let entry = 0; entry < count; entry += 1) {
    const at = directory + 2 + entry * entryLength
    if (at + entryLength > tiff.length) return undefined
    if (read16(at) !== orientationTag || read16(at + 2) !== short) continue
    const value = read16(at + 8)
    return value >= 1 && value <= 8 ? value : undefined
  }
  return undefined
}

/** EXIF data with this field alone. */
export function exifOf(orientation: number): Buffer {
  const tiff = Buffer.alloc(headerLength + 2 + entryLength + 4)
  tiff.write('MM', 'latin1')
  tiff.writeUInt16BE(42, 2)
  tiff.writeUInt32BE(headerLength, 4)
  tiff.writeUInt16BE(1, headerLength)
  tiff.writeUInt16BE(orientationTag, headerLength + 2)
  tiff.writeUInt16BE(short, headerLength + 4)
  tiff.writeUInt32BE(1, headerLength + 6)
  tiff.writeUInt16BE(orientation, headerLength + 10)
  return Buffer.concat([head, tiff])
}
