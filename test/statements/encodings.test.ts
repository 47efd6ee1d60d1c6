import { describe, expect, test } from 'vitest'
import { issuesOf, readBytes, readPieces, transactionsOf } from '../support/read-bytes.ts'
import { ofx, row, usual } from '../support/small-ofx.ts'
import { writers } from '../support/statement-files.ts'

const oneBooking = {
  account: { iban: 'GB33BUKB20201555555555', bank: '20201555', number: '55555555' },
  currency: 'EUR',
  opening: { amount: '0.00', date: '2025-01-01' },
  closing: { amount: '1.00', date: '2025-12-31' },
  bookings: [
    {
      amount: '1.00',
      date: '2025-02-01',
      description: 'tea',
      counterparty: 'Ömer Ünal',
      id: '1',
    },
  ],
}

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

  test.each([
    ['CHARSET:USASCII', 'latin1', 'windows-1252'],
    ['CHARSET:ANSI', 'utf8', 'utf-8'],
    ['CHARSET:8859-1', 'latin1', 'windows-1252'],
    ['CHARSET:ISO-8859-1', 'latin1', 'windows-1252'],
    ['CHARSET:cp-1252', 'latin1', 'windows-1252'],
    ['ENCODING:UTF-8\nCHARSET:1252', 'utf8', 'utf-8'],
    ['CHARSET:1252', 'latin1', 'windows-1252'],
  ] as const)('%s over bytes of %s is read as %s', async (header, bytes, expected) => {
    const file = ofx(row(`${usual}<NAME>Café`)).replace('CHARSET:1252', header)
    const { events, encoding } = await readBytes(Buffer.from(file, bytes))
    expect(encoding).toBe(expected)
    expect(transactionsOf(events)).toMatchObject([{ counterparty: 'Café' }])
    expect(issuesOf(events)).toEqual([])
  })

  test.each(['bogus', 'macintosh'])('no booking chooses it: CHARSET: %s', async (name) => {
    const file = ofx(row(`${usual}<NAME>CHARSET: ${name} Café`)).replace('CHARSET:1252\n', '')
    const { events, encoding } = await readBytes(Buffer.from(file))
    expect(encoding).toBe('utf-8')
    expect(transactionsOf(events)).toMatchObject([{ counterparty: `CHARSET: ${name} Café` }])
  })

  test('XML that can be read is no UTF-16, whatever it says', async () => {
    const camt = writers.find(({ name }) => name.startsWith('CAMT'))
    const whole = camt!.write(oneBooking)
    const changed = Buffer.from(String(whole).replace('encoding="UTF-8"', 'encoding="utf-16"'))
    expect(changed.toString()).toContain('encoding="utf-16"')
    expect((await readBytes(changed)).events).toEqual((await readBytes(whole)).events)
  })

  test('an encoding that nobody knows is refused', async () => {
    await expect(readBytes(text, { encoding: 'nonsense' })).rejects.toThrow(/nonsense is not known/)
  })
})
