import { asAscii } from './decode.ts'
import { looksLikeMt940, refuseOtherMessages } from './mt940.ts'
import { NoStatement, type StatementFormat } from './statement.ts'

/** The beginnings of files that hold no text, with what to do instead. */
const others: readonly (readonly [start: string | RegExp, told: string])[] = [
  ['PK\x03\x04', 'a zip or a workbook: unpack it, or save it in another format'],
  ['\x1f\x8b', 'compressed with gzip: unpack it first'],
  ['%PDF', 'a PDF: download the statement as OFX, CAMT or MT940'],
  ['\xd0\xcf\x11\xe0', 'a workbook: save it in another format'],
  [/^\s*(<!doctype html|<html)/i, 'a web page: the download may need a login'],
  [
    /^\s*!(Type|Account|Option):/i,
    'a QIF, which names no currency and leaves day and month open: download OFX or CSV instead',
  ],
]

/** The format of a file by its first bytes. */
export function detectFormat(head: Uint8Array): StatementFormat {
  const start = asAscii(head)
  for (const [beginning, told] of others) {
    const begins =
      typeof beginning === 'string' ? start.startsWith(beginning) : beginning.test(start)
    if (begins) throw new NoStatement(`the file is ${told}`)
  }
  // Without the marks and empty bytes of UTF-16.
  const text = start.replace(/^(\xef\xbb\xbf|\xff\xfe|\xfe\xff)/, '').replaceAll('\0', '')
  if (text.trim() === '') throw new NoStatement('the file is empty')
  if (/^\s*OFXHEADER\s*:/i.test(text) || /<OFX>/i.test(text)) return 'ofx'
  if (/<(\w+:)?Document[\s>]/.test(text) || /iso:20022:tech:xsd:/.test(text)) return 'camt'
  if (looksLikeMt940(text)) {
    refuseOtherMessages(text)
    return 'mt940'
  }
  if (/^\s*<\?xml/.test(text)) throw new NoStatement('the file is XML, and neither OFX nor CAMT')
  return 'csv'
}
