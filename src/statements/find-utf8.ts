/** The characters that Windows-1252 makes of the bytes 0x80 to 0xBF, as a part of a pattern. */
const rest = '\\u0080-\\u00BF€‚ƒ„…†‡ˆ‰Š‹ŒŽ‘’“”•–—˜™š›œžŸ'

/** A letter of Western Europe in UTF-8, read as Windows-1252: `Ã` or `Â`, and a sign that no word has. */
const pattern = new RegExp(`[ÃÂ][${rest}]`)

/** Looks for UTF-8 in the pieces of a text that was read as Windows-1252. */
export function createUtf8Search(): (text: string) => { found: string; at: number } | undefined {
  let last = ''
  return (text) => {
    const match = pattern.exec(last + text)
    const at = (match?.index ?? 0) - last.length
    last = text.slice(-1)
    return match ? { found: match[0], at: Math.max(at, 0) } : undefined
  }
}
