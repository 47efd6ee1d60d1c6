/** A list that is JSON already: what is stored as it is sent need not be read for that. */
class ListText {
  /** Its elements, with commas between them. */
  readonly elements: string
  constructor(elements: string) {
    this.elements = elements
  }
}

/**
 * A list for an answer, one level below its top, from the JSON of its elements with commas between
 * them. To handlers it is of the contract's type; it cannot be read before `withLists`.
 */
export const listOfText = <Element>(elements: string): Element[] =>
  new ListText(elements) as unknown as Element[]

/** Whether a field of an answer is a list that has not been read. */
export const isListText = (value: unknown): value is ListText => value instanceof ListText

/** The answer with its lists read, for code that needs their elements. */
export function withLists(answer: object): object {
  const entries = Object.entries(answer)
  if (!entries.some(([, value]) => isListText(value))) return answer
  return Object.fromEntries(
    entries.map(([name, value]) => [name, isListText(value) ? readList(value) : value]),
  )
}

/** The elements of a list that has not been read. */
export const readList = (list: ListText): unknown[] => JSON.parse(toText(list))

const toText = ({ elements }: ListText): string => `[${elements}]`

/** The answer as it is sent. */
export function toJson(answer: object): string {
  const values: unknown[] = Object.values(answer)
  if (!values.some(isListText)) return JSON.stringify(answer)
  const fields = Object.keys(answer).flatMap((name, place) => {
    const value = values[place]
    if (value === undefined) return []
    const text = isListText(value) ? toText(value) : JSON.stringify(value)
    return [`${JSON.stringify(name)}:${text}`]
  })
  return `{${fields.join(',')}}`
}
