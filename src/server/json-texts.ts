/** A list whose elements are JSON already: what is stored as it is sent need not be read for that. */
class JsonTexts {
  readonly texts: readonly string[]
  constructor(texts: readonly string[]) {
    this.texts = texts
  }
}

/**
 * A list for an answer, one level below its top, from the JSON of each element. To handlers it is
 * of the contract's type; it cannot be read before `withLists`.
 */
export const listOfTexts = <Element>(texts: readonly string[]): Element[] =>
  new JsonTexts(texts) as unknown as Element[]

/** The answer with its lists read, for whoever looks into it. */
export function withLists(answer: object): object {
  const entries = Object.entries(answer)
  if (!entries.some(([, value]) => value instanceof JsonTexts)) return answer
  return Object.fromEntries(
    entries.map(([name, value]) => [name, value instanceof JsonTexts ? read(value) : value]),
  )
}

const read = ({ texts }: JsonTexts): unknown => JSON.parse(toList(texts))

const toList = (texts: readonly string[]): string => `[${texts.join(',')}]`

/** The answer as it is sent. */
export function toJson(answer: object): string {
  const entries = Object.entries(answer)
  if (!entries.some(([, value]) => value instanceof JsonTexts)) return JSON.stringify(answer)
  const fields = entries.flatMap(([name, value]) => {
    if (value === undefined) return []
    const text = value instanceof JsonTexts ? toList(value.texts) : JSON.stringify(value)
    return [`${JSON.stringify(name)}:${text}`]
  })
  return `{${fields.join(',')}}`
}
