import { NoStatement } from './statement.ts'

/** Turns bytes into text; `encoding` is known when the first character beyond ASCII is. */
export interface Decoder {
  write(bytes: Uint8Array): string
  end(): string
  encoding(): string
}

/** Bytes that the encoding does not have. */
export class WrongEncoding extends Error {
  override readonly name = 'WrongEncoding'

  constructor(encoding: string) {
    super(`the file is not ${encoding} from here on; name its encoding`)
  }
}

/**
 * Finds the encoding of a file by its first bytes: a byte order mark, what an XML declaration or the
 * header of OFX 1.x says, or else the first bytes beyond ASCII, which are UTF-8 or Windows-1252.
 */
export function decoderFor(head: Uint8Array, given?: string): Decoder {
  const marked = byMark(head)
  const said = given ?? marked ?? declared(asAscii(head))
  return said === undefined ? undecided() : decided(said)
}

/** How many bytes tell the format of a file. */
export const headBytes = 65_536

function byMark([first, second, third]: Uint8Array): string | undefined {
  if (first === 0xef && second === 0xbb && third === 0xbf) return 'utf-8'
  if (first === 0xff && second === 0xfe) return 'utf-16le'
  if (first === 0xfe && second === 0xff) return 'utf-16be'
  // A first letter with an empty byte beside it: UTF-16 without a mark.
  if (first !== 0 && second === 0 && third !== 0) return 'utf-16le'
  if (first === 0 && second !== 0 && third === 0) return 'utf-16be'
  return undefined
}

/** The text of the head, each byte beyond ASCII as one character. */
export const asAscii = (head: Uint8Array): string => Buffer.from(head).toString('latin1')

function declared(head: string): string | undefined {
  const xml = /^\s*<\?xml[^>]*\sencoding\s*=\s*["']([\w.-]+)["']/.exec(head)?.[1]
  // Programs write `UTF-8` over Windows-1252, and `UTF-16` over what can be read here: an XML file is
  // held to its word only for other code pages.
  if (xml !== undefined) return /^utf-?(8|16)/i.test(xml) ? undefined : xml
  // A booking may have any text.
  const [header = ''] = head.split('<', 1)
  return /^\s*OFXHEADER\s*:/.test(header) ? declaredByOfx(header) : undefined
}

function declaredByOfx(header: string): string | undefined {
  if (/\bENCODING\s*:\s*(utf|unicode)/i.test(header)) return undefined
  // Only with what follows it, since the head may end in the middle of a name.
  const charset = /\bCHARSET\s*:\s*([\w-]+)[^\w-]/.exec(header)?.[1] ?? ''
  if (/^(NONE|CP|ANSI|(US-?)?ASCII)?$/i.test(charset) || /utf|unicode/i.test(charset))
    return undefined
  if (/^8859-\d+$/.test(charset)) return `iso-${charset}`
  const [, number] = /^(?:CP-?|WINDOWS-?)?(\d{3,4})$/i.exec(charset) ?? []
  return number === undefined ? charset : codePage(number)
}

const codePage = (number: string): string => (number.length === 4 ? `windows-${number}` : number)

function decided(encoding: string): Decoder {
  const decoder = open(encoding)
  const guarded = (read: () => string): string => {
    try {
      return read()
    } catch {
      throw new WrongEncoding(decoder.encoding)
    }
  }
  return {
    write: (bytes) => guarded(() => decoder.decode(bytes, { stream: true })),
    end: () => guarded(() => decoder.decode()),
    encoding: () => decoder.encoding,
  }
}

function open(encoding: string): TextDecoder {
  try {
    return new TextDecoder(encoding, { fatal: true })
  } catch {
    throw new NoStatement(`the encoding ${encoding} is not known; utf-8 or windows-1252 would be`)
  }
}

/** Takes ASCII as it is, and decides when something else comes. */
function undecided(): Decoder {
  let decoder: Decoder | undefined
  /** The first bytes beyond ASCII, which may be a part of one character. */
  let held: Uint8Array = new Uint8Array()
  const decide = (bytes: Uint8Array, isEnd: boolean): Decoder =>
    decided(isUtf8(bytes, isEnd) ? 'utf-8' : 'windows-1252')
  return {
    write(bytes) {
      if (decoder) return decoder.write(bytes)
      const known = held.length === 0 ? bytes : Buffer.concat([held, bytes])
      const first = known.findIndex((byte) => byte >= 0x80)
      if (first < 0) return asAscii(known)
      if (known.length - first < longestCharacter) {
        held = known.subarray(first)
        return asAscii(known.subarray(0, first))
      }
      decoder = decide(known, false)
      return decoder.write(known)
    },
    end() {
      if (decoder) return decoder.end()
      decoder = decide(held, true)
      return decoder.write(held) + decoder.end()
    },
    encoding: () => decoder?.encoding() ?? 'utf-8',
  }
}

/** In bytes, in UTF-8. */
const longestCharacter = 4

function isUtf8(bytes: Uint8Array, isEnd: boolean): boolean {
  try {
    // As a stream: the last character may be cut.
    new TextDecoder('utf-8', { fatal: true }).decode(bytes, { stream: !isEnd })
    return true
  } catch {
    return false
  }
}
