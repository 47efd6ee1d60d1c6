import { deflateSync } from 'node:zlib'
import { describe, expect, test } from 'vitest'
import {
  checkPicture,
  checkUpload,
} from '../../src/server/identity-verification/pictures/check-picture.ts'
import {
  mostPictureBytes,
  type Picture,
} from '../../src/server/identity-verification/pictures/picture.ts'
import {
  sampleNames,
  sampleOf,
  samplePicture,
} from '../../src/server/identity-verification/pictures/samples.ts'
import {
  chunk,
  exifOf,
  jpegFrame,
  jpegOf,
  pngHeader,
  pngOf,
  pngSignature,
  segment,
} from '../support/pictures.ts'

const text = (value: string) => Buffer.from(value, 'latin1')
const problemOf = (bytes: Uint8Array) => {
  const checked = checkPicture(bytes)
  return 'problem' in checked ? checked.problem : 'none'
}
function accepted(bytes: Uint8Array): Picture {
  const checked = checkPicture(bytes)
  if ('problem' in checked) throw new Error(checked.problem)
  return checked
}

describe('a picture', () => {
  test('is accepted as PNG and as JPEG, with its type and size', () => {
    expect(accepted(pngOf(640, 400))).toMatchObject({ type: 'png', width: 640, height: 400 })
    expect(accepted(jpegOf(640, 400))).toMatchObject({ type: 'jpeg', width: 640, height: 400 })
  })

  test('stays as it is when it has nothing to leave out', () => {
    expect(accepted(pngOf()).bytes).toEqual(pngOf())
    expect(accepted(jpegOf()).bytes).toEqual(jpegOf())
  })

  test('is accepted when it is progressive', () => {
    const frame = jpegFrame(320, 240, 0xc2)
    expect(accepted(jpegOf(320, 240, { frame, scans: 10 }))).toMatchObject({ type: 'jpeg' })
  })

  test.each([
    ['SECRET in a comment', jpegOf(320, 240, { before: [segment(0xfe, text('SECRET'))] })],
    ['SECRET in EXIF data', jpegOf(320, 240, { before: [exifOf(1)] })],
    ['SECRET in XMP data', jpegOf(320, 240, { before: [segment(0xe1, text('http://SECRET'))] })],
    ['SECRET in a profile', jpegOf(320, 240, { before: [segment(0xe2, text('ICC_SECRET'))] })],
    ['SECRET after a JPEG', jpegOf(320, 240, { after: text('SECRET') })],
    ['SECRET in a text of a PNG', pngOf(320, 240, { before: [chunk('tEXt', text('SECRET'))] })],
    ['SECRET in EXIF of a PNG', pngOf(320, 240, { after: [chunk('eXIf', text('SECRET'))] })],
    ['SECRET in a private chunk', pngOf(320, 240, { after: [chunk('prVt', text('SECRET'))] })],
    ['SECRET after a PNG', Buffer.concat([pngOf(), text('SECRET')])],
  ])('loses what a browser does not need: %s', (_name, bytes) => {
    expect(bytes.includes('SECRET')).toBe(true)
    const { bytes: kept, type } = accepted(bytes)
    expect(Buffer.from(kept).includes('SECRET')).toBe(false)
    expect(Buffer.from(kept)).toEqual(type === 'png' ? pngOf() : jpegOf())
  })

  test.each([
    ['little', true],
    ['big', false],
  ])(
    'keeps how it is turned, with %s-endian EXIF data, and nothing else of that',
    (_name, isLittle) => {
      const { bytes } = accepted(jpegOf(320, 240, { before: [exifOf(6, isLittle)] }))
      const kept = Buffer.from(bytes)
      expect(kept.includes('SECRET')).toBe(false)
      expect([kept[2], kept[3], kept.toString('latin1', 6, 10)]).toEqual([0xff, 0xe1, 'Exif'])
      expect(kept.readUInt16BE(30)).toBe(6)
      expect(accepted(kept).bytes).toEqual(bytes)
    },
  )

  test.each([
    ['no page', text('<!doctype html><script>alert(1)</script>')],
    ['no SVG', text('<svg xmlns="http://www.w3.org/2000/svg" onload="alert(1)"/>')],
    ['no GIF', text('GIF89a\x01\x00\x01\x00')],
    ['no PDF', text('%PDF-1.7\n')],
    ['no archive', text('PK\x03\x04')],
    ['no HEIC', text('\0\0\0\x18ftypheic')],
    ['no WebP', text('RIFF\0\0\0\0WEBPVP8 ')],
    ['no program', text('MZ\x90\0')],
    ['no BMP', text('BM')],
  ])('is %s', (_name, bytes) => {
    expect(problemOf(bytes)).toBe('wrong_type')
  })

  test('is no file of two types', () => {
    const page = text('<script>alert(1)</script>')
    const polyglot = jpegOf(320, 240, { before: [segment(0xfe, page)], after: text('PK\x03\x04') })
    expect(Buffer.from(accepted(polyglot).bytes)).toEqual(jpegOf())
    expect(problemOf(Buffer.concat([page, jpegOf()]))).toBe('wrong_type')
    expect(problemOf(Buffer.concat([text('GIF89a'), pngOf()]))).toBe('wrong_type')
  })

  test('is not empty, and not larger than the limit', () => {
    expect(problemOf(Buffer.alloc(0))).toBe('empty')
    const most = Buffer.concat([pngOf(), Buffer.alloc(mostPictureBytes)])
    expect(problemOf(most)).toBe('too_large')
    expect(problemOf(most.subarray(0, mostPictureBytes))).toBe('none')
  })

  test.each([
    ['10000 × 10000', 10_000, 10_000],
    ['65000 × 65000', 65_000, 65_000],
    ['12001 × 300', 12_001, 300],
  ])('has no more pixels than a browser can show: %s', (_name, width, height) => {
    expect(problemOf(pngOf(width, height))).toBe('too_many_pixels')
    expect(problemOf(jpegOf(width, height))).toBe('too_many_pixels')
  })

  test('has enough pixels to be read', () => {
    expect([problemOf(pngOf(199, 640)), problemOf(jpegOf(640, 199))]).toEqual([
      'too_small',
      'too_small',
    ])
    expect([problemOf(pngOf(200, 200)), problemOf(jpegOf(200, 200))]).toEqual(['none', 'none'])
  })

  test.each([
    ['JPEG', jpegOf()],
    ['PNG', pngOf()],
  ])('is rejected wherever a %s ends too early', (_name, whole) => {
    const problems = new Set<string>()
    for (let length = 8; length < whole.length; length += 1) {
      problems.add(problemOf(whole.subarray(0, length)))
    }
    expect([...problems]).toEqual(['broken'])
  })

  const [signature, pixels, end] = [pngSignature, chunk('IDAT', text('x')), chunk('IEND')]
  const header = pngHeader(320, 240)
  const png = (...parts: Buffer[]) => Buffer.concat([signature, ...parts])
  test.each([
    ['without a header', png(pixels, end)],
    ['with two headers', png(header, header, pixels, end)],
    ['without pixels', png(header, end)],
    ['with a wrong checksum', png(header, Buffer.concat([pixels.subarray(0, -1), text('?')]), end)],
    ['with an unknown critical chunk', png(header, chunk('ABCD'), pixels, end)],
    ['with an unknown color type', png(pngHeader(320, 240, [8, 5, 0, 0, 0]), pixels, end)],
    ['with an unknown depth', png(pngHeader(320, 240, [3, 2, 0, 0, 0]), pixels, end)],
    ['with an unknown filter', png(pngHeader(320, 240, [8, 2, 0, 1, 0]), pixels, end)],
    ['with an unknown interlace', png(pngHeader(320, 240, [8, 2, 0, 0, 2]), pixels, end)],
    ['without a width', png(pngHeader(0, 240), pixels, end)],
    ['with a length beyond the file', png(header, Buffer.from([255, 255, 255, 255, 0, 0, 0, 0]))],
    ['with many chunks', png(header, ...Array<Buffer>(6000).fill(chunk('IDAT')), end)],
  ])('is no PNG %s', (_name, bytes) => {
    expect(problemOf(bytes)).toBe('broken')
  })

  const two = Buffer.concat([jpegFrame(320, 240), jpegFrame(320, 240)])
  const table = segment(0xc4, Buffer.alloc(17))
  const comment = segment(0xfe, text('comment'))
  test.each([
    ['without a frame', jpegOf(320, 240, { frame: Buffer.alloc(0) })],
    ['with two frames', jpegOf(320, 240, { frame: two })],
    ['without a scan', jpegOf(320, 240, { scans: 0 })],
    ['without a height', jpegOf(320, 0)],
    ['with hundreds of scans', jpegOf(320, 240, { scans: 300 })],
    ['without loss', jpegOf(320, 240, { frame: jpegFrame(320, 240, 0xc3) })],
    ['with arithmetic coding', jpegOf(320, 240, { frame: jpegFrame(320, 240, 0xc9) })],
    ['with thousands of tables', jpegOf(320, 240, { before: Array(2000).fill(table) })],
    ['with bytes between segments', jpegOf(320, 240, { before: [comment, text('bytes')] })],
    ['with a segment of no length', jpegOf(320, 240, { before: [Buffer.from([255, 0xdb, 0, 1])] })],
  ])('is no JPEG %s', (_name, bytes) => {
    expect(problemOf(bytes)).toBe('broken')
  })

  test('is checked in little memory, and so is one that is rejected', () => {
    const filled = (unit: Buffer, start: Buffer) =>
      Buffer.concat([start, Buffer.alloc(mostPictureBytes - start.length, unit)])
    const start = Buffer.concat([signature, header])
    const files = [
      filled(text('\0'), pngOf(10_000, 10_000)),
      filled(text('\0'), jpegOf(10_000, 10_000)),
      filled(chunk('IDAT'), start),
      filled(segment(0xc4, Buffer.alloc(0)), Buffer.from([0xff, 0xd8])),
      filled(Buffer.from([0xff]), Buffer.from([0xff, 0xd8])),
      filled(Buffer.from([0xff]), jpegOf().subarray(0, -2)),
      filled(text('\0'), pngOf()),
    ]
    for (const file of files) problemOf(file)
    const used = () => {
      const { heapUsed, external } = process.memoryUsage()
      return heapUsed + external
    }
    const mostBytes = 50 * 1024 * 1024
    for (const file of files) {
      const before = used()
      problemOf(file)
      // What a collection frees in between makes the difference smaller, never larger.
      expect(used() - before).toBeLessThan(mostBytes)
    }
  })
})

describe('the samples of the sandbox', () => {
  test('are pictures that pass the check unchanged, and are recognized', () => {
    for (const name of sampleNames) {
      const picture = accepted(samplePicture(name))
      expect(Buffer.from(picture.bytes)).toEqual(Buffer.from(samplePicture(name)))
      expect(sampleOf(picture)).toBe(name)
    }
  })

  test('differ from each other and from other pictures', () => {
    const hashes = new Set(
      sampleNames.map((name) => Buffer.from(samplePicture(name)).toString('hex')),
    )
    expect(hashes.size).toBe(sampleNames.length)
    expect(sampleOf(accepted(pngOf()))).toBeUndefined()
  })
})

describe('the pixels of an upload', () => {
  const [signature, end] = [pngSignature, chunk('IEND')]
  const whole = (rest: number[], bytes: number, [width, height] = [300, 200]) =>
    Buffer.concat([
      signature,
      pngHeader(width!, height!, rest),
      chunk('IDAT', deflateSync(Buffer.alloc(bytes))),
      end,
    ])
  const found = async (bytes: Buffer) => {
    const checked = await checkUpload(bytes)
    return 'problem' in checked ? checked.problem : checked.type
  }

  test.each([
    ['gray', [8, 0, 0, 0, 0], 301 * 200],
    ['gray of a bit', [1, 0, 0, 0, 0], 39 * 200],
    ['colors', [8, 2, 0, 0, 0], 901 * 200],
    ['deep colors with transparency', [16, 6, 0, 0, 0], 2401 * 200],
    // Seven passes over 8 by 8 pixels: 1, 1, 2, 4, 8, 16 and 32 of them.
    ['interlaced gray', [8, 0, 0, 0, 1], 300 * 200 + 25 + 25 + 25 + 50 + 50 + 100 + 100],
  ])('are all there, and no more: %s', async (_name, rest, bytes) => {
    expect(await found(whole(rest, bytes))).toBe('png')
    expect(await found(whole(rest, bytes - 1))).toBe('broken')
    expect(await found(whole(rest, bytes + 1))).toBe('broken')
    expect(await found(whole(rest, bytes * 100))).toBe('broken')
  })

  test('are compressed as they must be', async () => {
    const data = deflateSync(Buffer.alloc(301 * 200))
    for (const cut of [data.subarray(0, -5), Buffer.from('no pixels'), data.fill(7, 20, 30)]) {
      const bytes = [signature, pngHeader(300, 200), chunk('IDAT', cut), end]
      expect(await found(Buffer.concat(bytes))).toBe('broken')
    }
  })

  test('are counted in no JPEG, whose size says how many there are', async () => {
    expect(await found(jpegOf())).toBe('jpeg')
  })
})
