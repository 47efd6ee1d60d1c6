/** An element of XML with its content, without its namespace. */
export interface Element {
  name: string
  attributes: Readonly<Record<string, string>>
  /** The text that stands directly in it. */
  text: string
  children: Element[]
  line: number
}

export const child = (element: Element | undefined, name: string): Element | undefined =>
  element?.children.find((each) => each.name === name)

export const childrenOf = (element: Element | undefined, name: string): Element[] =>
  element?.children.filter((each) => each.name === name) ?? []

/** The text at the end of a path of first children; undefined where it is absent or empty. */
export function textAt(element: Element | undefined, ...path: string[]): string | undefined {
  const end = path.reduce<Element | undefined>(child, element)
  return end?.text.trim() || undefined
}
