import { createHash } from 'node:crypto'
import { inflateSync } from 'node:zlib'
import { describe, expect, test } from 'vitest'
import {
  mostUploads,
  verdictOfSample,
} from '../../src/server/identity-verification/known-inputs.ts'
import { drawCard, drawFace } from '../../src/server/identity-verification/pictures/draw-sample.ts'

// Rules of verifications that need no service.

describe('the verdict about a sample', () => {
  test('is that of the sample', () => {
    expect(verdictOfSample('document', 1)).toEqual({ found: 'success' })
    expect(verdictOfSample('document_failed', 1)).toEqual({ found: 'failed' })
    expect(verdictOfSample('document_review', mostUploads)).toEqual({ found: 'pending_review' })
  })

  test('asks for a sharper one as long as there are uploads left', () => {
    const verdicts = [1, 2, 3].map((upload) => verdictOfSample('document_blurred', upload))
    expect(verdicts).toEqual([{ again: 'blurred' }, { again: 'blurred' }, { found: 'failed' }])
  })
})

/** The lines of a PNG: how small zlib makes them is its own affair. */
function linesOf(png: Uint8Array): Buffer {
  const bytes = Buffer.from(png)
  const at = bytes.indexOf('IDAT')
  return inflateSync(bytes.subarray(at + 4, at + 4 + bytes.readUInt32BE(at - 4)))
}

test.each([
  [
    'the front of a card',
    () => drawCard('SAMPLE', 'PASS', 'front'),
    'ukM8QWDC072h3IdYl_iA5UeivM4G98kDv5_D9sx4HFM',
  ],
  [
    'the back of a card',
    () => drawCard('SAMPLE', 'PASS', 'back'),
    'Pv9_WbfKHBYxH5o3GjJe7aTswop7MigXXIvCCMKzFXs',
  ],
  ['a face', () => drawFace('SAMPLE', 'PASS'), 'J_vCutpbMmbf6z_PIjeGzMTzltCIpZ2SEthLemdXZHo'],
])('%s is the same picture each time', (_name, draw, digest) => {
  expect(createHash('sha256').update(linesOf(draw())).digest('base64url')).toBe(digest)
})
