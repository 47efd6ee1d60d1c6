/** How a language writes values. */
export interface LiteralStyle {
  indent: string
  key: (name: string) => string
  text: (text: string) => string
  words: Record<'true' | 'false' | 'null', string>
}

/** The value as a literal, with an entry on each line; `depth` is how far its first line is indented. */
export function literal(value: unknown, style: LiteralStyle, depth = 0): string {
  if (typeof value === 'string') return style.text(value)
  if (typeof value === 'number') return JSON.stringify(value)
  if (typeof value !== 'object' || value === null) {
    return style.words[String(value) as 'true' | 'false' | 'null']
  }
  const entries = Array.isArray(value)
    ? value.map((item) => literal(item, style, depth + 1))
    : Object.entries(value).map(
        ([name, item]) => `${style.key(name)}: ${literal(item, style, depth + 1)}`,
      )
  const [open, close] = Array.isArray(value) ? '[]' : '{}'
  if (entries.length === 0) return `${open}${close}`
  const inside = style.indent.repeat(depth + 1)
  const lines = entries.map((entry) => `${inside}${entry},\n`)
  return `${open}\n${lines.join('')}${style.indent.repeat(depth)}${close}`
}
