export interface Token {
  kind: 'key' | 'string' | 'literal' | 'plain'
  text: string
  /** Where the text leads: an error names its page of the docs. */
  href?: string
}

const pattern =
  /("(?:[^"\\]|\\.)*")(\s*:)?|\b(?:true|false|null)\b|-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?/g

/** The parts of a JSON text, each with what it is. */
export function tokensOf(json: string): Token[] {
  const tokens: Token[] = []
  let at = 0
  let keyBefore = ''
  for (const match of json.matchAll(pattern)) {
    const [whole, quoted, colon] = match
    if (match.index > at) tokens.push({ kind: 'plain', text: json.slice(at, match.index) })
    if (quoted === undefined) tokens.push({ kind: 'literal', text: whole })
    else if (colon !== undefined) tokens.push({ kind: 'key', text: quoted })
    else tokens.push({ kind: 'string', text: quoted, ...linkOf(quoted, keyBefore) })
    if (colon !== undefined) tokens.push({ kind: 'plain', text: colon })
    keyBefore = colon === undefined ? '' : (quoted ?? '')
    at = match.index + whole.length
  }
  if (at < json.length) tokens.push({ kind: 'plain', text: json.slice(at) })
  return tokens
}

/** A body may hold texts of anybody, so only an address of the web becomes a link. */
function linkOf(quoted: string, key: string): { href?: string } {
  const isLink = key === '"documentation_url"' && /^"https?:\/\/[^"\\]+"$/.test(quoted)
  return isLink ? { href: quoted.slice(1, -1) } : {}
}

/** The text with a line for each field. A text that is no JSON stays as it is. */
export function indent(json: string): string {
  try {
    return JSON.stringify(JSON.parse(json), null, 2)
  } catch {
    return json
  }
}
