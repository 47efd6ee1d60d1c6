import { exifOf, orientationOf } from './orientation.ts'
import { checkSize, type Picture, RejectedPicture } from './picture.ts'

const [soi, eoi, sos, fill] = [0xd8, 0xd9, 0xda, 0xff]

export const isJpeg = (bytes: Buffer): boolean =>
  bytes[0] === fill && bytes[1] === soi && bytes[2] === fill

/** Baseline, extended and progressive: the forms that browsers show. */
const frames: readonly number[] = [0xc0, 0xc1, 0xc2]
/** Tables without which the scans cannot be read: DHT, DQT and DRI. */
const tables: readonly number[] = [0xc4, 0xdb, 0xdd]
const [app1, app14, comment] = [0xe1, 0xee, 0xfe]
const isApp = (marker: number): boolean => marker >= 0xe0 && marker <= 0xef
/** A browser goes over all pixels for each scan. Cameras write about ten. */
const mostScans = 40
/** Each costs memory, and cameras write few. */
const mostSegments = 1000
const adobe = Buffer.from('Adobe')
const adobeLength = 12

/** What was read of a picture so far. */
interface Reading {
  parts: Buffer[]
  size: { width: number; height: number } | undefined
  scans: number
  orientation: number
}

/** Copies a JPEG without what a browser does not need. Throws `RejectedPicture`. */
export function rewriteJpeg(bytes: Buffer): Picture {
  const reading: Reading = { parts: [], size: undefined, scans: 0, orientation: 1 }
  for (let at = 2, count = 0; ; count += 1) {
    const { marker, start } = readMarker(bytes, at)
    if (marker === eoi) break
    const end = start + lengthAt(bytes, start)
    if (end > bytes.length || count > mostSegments) throw new RejectedPicture('broken')
    readSegment(reading, marker, bytes.subarray(start + 2, end))
    at = marker === sos ? readScan(reading, bytes, end) : end
  }
  const { parts, size, scans, orientation } = reading
  if (!size || scans === 0) throw new RejectedPicture('broken')
  const begin = Buffer.from([fill, soi])
  // Without it, many pictures of phones lie on their side.
  const turned = orientation === 1 ? [] : [segment(app1, exifOf(orientation))]
  const whole = Buffer.concat([begin, ...turned, ...parts, Buffer.from([fill, eoi])])
  return { type: 'jpeg', ...size, bytes: whole }
}

/** A marker, after any number of fill bytes, and where its segment starts. */
function readMarker(bytes: Buffer, at: number): { marker: number; start: number } {
  let start = at + 1
  while (bytes[start] === fill) start += 1
  const marker = bytes[start]
  if (bytes[at] !== fill || marker === undefined) throw new RejectedPicture('broken')
  return { marker, start: start + 1 }
}

function lengthAt(bytes: Buffer, at: number): number {
  const length = at + 2 > bytes.length ? 0 : bytes.readUInt16BE(at)
  if (length < 2) throw new RejectedPicture('broken')
  return length
}

function readSegment(reading: Reading, marker: number, content: Buffer): void {
  const { parts } = reading
  if (frames.includes(marker)) {
    if (reading.size) throw new RejectedPicture('broken')
    reading.size = readFrame(content)
    parts.push(segment(marker, content))
  } else if (marker === sos) {
    reading.scans += 1
    if (!reading.size || reading.scans > mostScans) throw new RejectedPicture('broken')
    parts.push(segment(marker, content))
  } else if (tables.includes(marker)) parts.push(segment(marker, content))
  else if (marker === app1) reading.orientation = orientationOf(content) ?? reading.orientation
  else if (marker === app14) parts.push(...toAdobe(content))
  else if (!isApp(marker) && marker !== comment) throw new RejectedPicture('broken')
}

/** Says in which colors the picture is. */
const toAdobe = (content: Buffer): Buffer[] =>
  content.length >= adobeLength && content.subarray(0, adobe.length).equals(adobe)
    ? [segment(app14, content.subarray(0, adobeLength))]
    : []

function readFrame(content: Buffer): { width: number; height: number } {
  const components = content[5] ?? 0
  const isKnown = content[0] === 8 && [1, 3, 4].includes(components)
  if (!isKnown || content.length !== 6 + 3 * components) throw new RejectedPicture('broken')
  const [height, width] = [content.readUInt16BE(1), content.readUInt16BE(3)]
  checkSize(width, height)
  return { width, height }
}

/** Copies the data of a scan, up to the next marker that is not part of it. */
function readScan({ parts }: Reading, bytes: Buffer, start: number): number {
  // In a file of nothing but markers, a search for each would take longer than this loop.
  for (let at = start; at < bytes.length - 1; at += 1) {
    if (bytes[at] !== fill) continue
    const next = bytes[at + 1] ?? fill
    if (next === 0 || next === fill || isRestart(next)) continue
    parts.push(bytes.subarray(start, at))
    return at
  }
  throw new RejectedPicture('broken')
}

const isRestart = (marker: number): boolean => marker >= 0xd0 && marker <= 0xd7

function segment(marker: number, content: Buffer): Buffer {
  const head = Buffer.from([fill, marker, 0, 0])
  head.writeUInt16BE(content.length + 2, 2)
  return Buffer.concat([head, content])
}
