export interface Token {
  kind: 'key' | 'string' | 'literal' | 'plain'
  text: string
}

const pattern =
  /("(?:[^"\\]|\\.)*")(\s*:)?|\b(?:true|false|null)\b|-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?/g

/** The parts of a JSON text, each with what it is. */
export function tokensOf(json: string): Token[] {
  const tokens: Token[] = []
  let at = 0
  for (const match of json.matchAll(pattern)) {
    const [whole, quoted, colon] = match
    if (match.index > at) tokens.push({ kind: 'plain', text: json.slice(at, match.index) })
    if (quoted === undefined) tokens.push({ kind: 'literal', text: whole })
    else tokens.push({ kind: colon === undefined ? 'string' : 'key', text: quoted })
    if (colon !== undefined) tokens.push({ kind: 'plain', text: colon })
    at = match.index + whole.length
  }
  if (at < json.length) tokens.push({ kind: 'plain', text: json.slice(at) })
  return tokens
}

/** The text with a line for each field. A text that is no JSON stays as it is. */
export function indent(json: string): string {
  try {
    return JSON.stringify(JSON.parse(json), null, 2)
  } catch {
    return json
  }
}
