import { describe, expect, test } from 'vitest'
import { issuesOf, readBytes, readPieces, transactionsOf } from '../support/read-bytes.ts'
import { ofx, row, usual } from '../support/small-ofx.ts'

describe('encodings', () => {
  const text = ofx(row(`${usual}<NAME>Café`)).replace('CHARSET:1252\n', '')

  test.each([
    ['utf-8', Buffer.from(text)],
    ['utf-8', Buffer.from(`\ufeff${text}`)],
    ['utf-16le', Buffer.from(`\ufeff${text}`, 'utf16le')],
    ['utf-16le', Buffer.from(text, 'utf16le')],
    ['utf-16be', Buffer.from(`\ufeff${text}`, 'utf16le').swap16()],
    ['windows-1252', Buffer.from(text, 'latin1')],
  ])('%s is found by the bytes', async (expected, bytes) => {
    const { events, encoding } = await readBytes(bytes)
    expect(encoding).toBe(expected)
    expect(transactionsOf(events)).toMatchObject([{ counterparty: 'Café' }])
  })

  test('a byte that the encoding does not have is told with its line', async () => {
    const whole = Buffer.from(`${text}é${'\n'.repeat(70_000)}`)
    const { events } = await readPieces([whole, Buffer.from([0xff])])
    expect(issuesOf(events)).toMatchObject([{ code: 'INVALID_ENCODING', line: 70_007 }])
  })

  test('a header is the same file wherever its pieces and its first 65,536 bytes end', async () => {
    const file = Buffer.from(ofx(row(`${usual}<NAME>Café`)), 'latin1')
    const from = file.indexOf('CHARSET')
    for (let end = from; end <= from + 'CHARSET:1252\n'.length; end += 1) {
      const padded = Buffer.concat([Buffer.alloc(65_536 - end, '\n'), file])
      const whole = await readBytes(padded, { format: 'ofx' })
      expect(transactionsOf(whole.events)).toMatchObject([{ counterparty: 'Café' }])
      const pieces = [padded.subarray(0, 65_536), padded.subarray(65_536)]
      expect(await readPieces(pieces, { format: 'ofx' })).toEqual(whole)
    }
  })

  test.each([
    ['utf-8', Buffer.from('é')],
    ['windows-1252', Buffer.from([0xe9])],
  ])('%s is found where its first character comes late and in pieces', async (expected, bytes) => {
    const [before = '', after = ''] = ofx(row(`${usual}<NAME>Caf|`))
      .replace('CHARSET:1252\n', '')
      .split('|')
    const head = Buffer.from(before.replace('<OFX>', `<OFX>${' '.repeat(70_000)}`))
    const tail = Buffer.concat([bytes, Buffer.from(after)])
    const pieces = [head, ...Array.from(tail, (byte) => Uint8Array.of(byte))]
    const { events, encoding } = await readPieces(pieces)
    expect(encoding).toBe(expected)
    expect(transactionsOf(events)).toMatchObject([{ counterparty: 'Café' }])
    const last = await readPieces([Buffer.from('Date,Description,Amount\n2026-01-31,a,1\n'), bytes])
    expect(last.encoding).toBe(expected)
  })

  test('a character of two code units is read as one wherever the text is cut', async () => {
    const start = 'Date,Description,Amount\n2026-01-31,'
    for (const [place, length] of [16_383, 16_384, 32_766, 32_767, 32_768].entries()) {
      const text = `${'x'.repeat(length - start.length)}😀${place}`
      const { events } = await readBytes(`${start}${text},1.00\n`)
      expect(transactionsOf(events)).toMatchObject([{ description: text }])
    }
  })

  test('UTF-8 in a file that is taken for Windows-1252 is told once, and nothing is lost', async () => {
    const [before = '', after = ''] = ofx(row(`${usual}<NAME>Caf|`)).split('|')
    const bytes = [Buffer.from(before), Buffer.from('é'), Buffer.from(`é${after}`)]
    for (const pieces of [bytes, [Buffer.concat(bytes)]]) {
      const { events, encoding } = await readPieces(pieces)
      expect(encoding).toBe('windows-1252')
      expect(transactionsOf(events)).toMatchObject([{ counterparty: 'CafÃ©Ã©' }])
      expect(issuesOf(events)).toMatchObject([{ code: 'MIXED_ENCODING', line: 7 }])
      const [issue] = issuesOf(events)
      expect(issue?.message).toContain('Ã© looks like a letter of UTF-8')
    }
    const named = await readBytes(Buffer.concat(bytes), { encoding: 'windows-1252' })
    expect(issuesOf(named.events)).toEqual([])
    const right = Buffer.from(before.replace('Caf', '').concat('CAFÉ Ä, Ângela', after), 'latin1')
    expect(issuesOf((await readBytes(right)).events)).toEqual([])
  })

  test('an encoding that nobody knows is refused', async () => {
    await expect(readBytes(text, { encoding: 'nonsense' })).rejects.toThrow(/nonsense is not known/)
  })
})
