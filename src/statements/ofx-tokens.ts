import { NoStatement } from './statement.ts'

/** What the tokens of an OFX file call. */
interface OfxTokens {
  /** An element begins; `text` is what stands after its tag, up to the next one. */
  open(name: string, text: string, line: number): void
  close(name: string): void
}

/**
 * Splits OFX into tags, both its SGML (1.x), where elements with a value are not closed, and its
 * XML (2.x). Nothing is expanded but the five entities of XML and characters by number.
 */
export function ofxTokenizer(tokens: OfxTokens) {
  let rest = ''
  let line = 1
  /** The tag whose text is still to come. */
  let waiting: { name: string; line: number } | undefined

  const count = (text: string): void => {
    for (let at = text.indexOf('\n'); at >= 0; at = text.indexOf('\n', at + 1)) line += 1
  }
  const tell = (text: string): void => {
    if (waiting) tokens.open(waiting.name, decode(text).trim(), waiting.line)
    waiting = undefined
  }
  const take = (tag: string): void => {
    if (/^!doctype|^!entity/i.test(tag)) {
      throw new NoStatement(`line ${line}: a document type is not read; OFX has none`)
    }
    const [, slash, name, end] = /^(\/?)\s*([A-Za-z0-9._]+)[^>]*?(\/?)$/.exec(tag) ?? []
    if (name === undefined) return
    if (slash) tokens.close(name.toUpperCase())
    else waiting = { name: name.toUpperCase(), line }
    if (!slash && end) tell('')
  }

  return {
    write(text: string): void {
      rest += text
      let from = 0
      while (true) {
        const start = rest.indexOf('<', from)
        if (start < 0) break
        const cdata = rest.startsWith('<![CDATA[', start)
        if (!cdata && '<![CDATA['.startsWith(rest.slice(start))) break
        const mark = cdata ? ']]>' : '>'
        const end = rest.indexOf(mark, start)
        if (end < 0) break
        // The text of a CDATA section stays in `rest`, as text before the next tag.
        if (cdata) {
          const inside = rest.slice(start + '<![CDATA['.length, end).replaceAll('&', '&amp;')
          rest = `${rest.slice(0, start)}${inside.replaceAll('<', '&lt;')}${rest.slice(end + 3)}`
          continue
        }
        const before = rest.slice(from, start)
        tell(before)
        count(before)
        take(rest.slice(start + 1, end))
        count(rest.slice(start, end + 1))
        from = end + 1
      }
      rest = rest.slice(from)
      if (rest.length > longest) {
        throw new NoStatement(`line ${line}: a value of more than ${longest} characters`)
      }
    },
    end(): number {
      tell(rest)
      count(rest)
      return line
    },
  }
}

const longest = 1_000_000

const entities: Readonly<Record<string, string>> = {
  amp: '&',
  lt: '<',
  gt: '>',
  quot: '"',
  apos: "'",
  nbsp: ' ',
}

/** Text with its entities; an ampersand that begins none stays, since banks forget to escape it. */
function decode(text: string): string {
  if (!text.includes('&')) return text
  return text.replace(/&(?:#(\d{1,7})|#x([0-9a-f]{1,6})|(\w+));/gi, (whole, decimal, hex, name) => {
    if (name !== undefined) return entities[name.toLowerCase()] ?? whole
    const code = decimal === undefined ? Number.parseInt(hex, 16) : Number(decimal)
    return code > 0 && code <= 0x10ffff ? String.fromCodePoint(code) : whole
  })
}
