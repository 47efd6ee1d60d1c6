/** An element of the pages' own HTML, or a text. */
export type Node = Element | string

export interface Element {
  name: string
  /** As they are written. */
  attributes: string
  children: Node[]
}

const empty = new Set(['wbr', 'input', 'br'])
const tag = /<(\/?)([a-z][a-z0-9]*)((?:\s+[a-z-]+(?:="[^"]*")?)*)\s*>/g

/**
 * Reads what the page functions wrote. That is a small and regular part of HTML, so this is no parser
 * of HTML at large: anything else is a defect, and stops the build.
 */
export function readTree(html: string): Node[] {
  const top: Element = { name: '', attributes: '', children: [] }
  const open = [top]
  let end = 0
  for (const match of html.matchAll(tag)) {
    const [whole, slash, name = '', attributes = ''] = match
    addText(open.at(-1) as Element, html.slice(end, match.index))
    end = match.index + whole.length
    if (slash) close(open, name)
    else {
      const element = { name, attributes, children: [] }
      open.at(-1)?.children.push(element)
      if (!empty.has(name)) open.push(element)
    }
  }
  addText(top, html.slice(end))
  if (open.length > 1) throw new Error(`<${open.at(-1)?.name}> is never closed`)
  return top.children
}

function addText(parent: Element, text: string): void {
  if (text.includes('<')) throw new Error(`this is no HTML of ours: ${text.slice(0, 80)}`)
  if (text !== '') parent.children.push(unescapeHtml(text))
}

function close(open: Element[], name: string): void {
  const { name: last } = open.pop() as Element
  if (last !== name) throw new Error(`<${last}> ends with </${name}>`)
}

/** The value of an attribute; an empty string if it has none. */
export function attributeOf({ attributes }: Element, name: string): string {
  const [, value = ''] = attributes.match(new RegExp(` ${name}="([^"]*)"`)) ?? []
  return unescapeHtml(value)
}

/** The reverse of `escapeHtml`. */
const unescapeHtml = (text: string): string =>
  text
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&quot;', '"')
    .replaceAll('&amp;', '&')

/** All text inside, as it is. */
export const textOf = (node: Node): string =>
  typeof node === 'string' ? node : node.children.map(textOf).join('')

export const hasClass = (element: Element, name: string): boolean =>
  element.attributes !== '' && attributeOf(element, 'class').split(' ').includes(name)

/** The first element inside that passes. */
export function findElement(
  nodes: Node[],
  passes: (element: Element) => boolean,
): Element | undefined {
  for (const node of nodes) {
    if (typeof node === 'string') continue
    const found = passes(node) ? node : findElement(node.children, passes)
    if (found) return found
  }
  return undefined
}
