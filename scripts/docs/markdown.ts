import {
  attributeOf,
  type Element,
  findElement,
  hasClass,
  type Node,
  readTree,
  textOf,
} from './html-tree.ts'
import { inline, isInline } from './markdown-inline.ts'

/**
 * Writes the HTML of a page as Markdown. Made from the same text, it tells the same; an element that
 * it does not know stops the build, so that nothing is left out unnoticed.
 */
export const toMarkdown = (html: string): string => blocks(readTree(html)).join('\n\n')

/** Paragraphs, lists and all that is set apart; loose text between them is a paragraph too. */
function blocks(nodes: Node[]): string[] {
  const found: string[] = []
  let line: Node[] = []
  const endLine = () => {
    found.push(inline(line))
    line = []
  }
  for (const node of nodes) {
    if (typeof node === 'string' || isInline(node)) line.push(node)
    else {
      endLine()
      found.push(...block(node))
    }
  }
  endLine()
  return found.filter((text) => text !== '')
}

const writers: Record<string, (element: Element) => string[]> = {
  div,
  section: ({ children }) => blocks(children),
  h1: (element) => [heading(element)],
  h2: (element) => [heading(element)],
  h3: (element) => [heading(element)],
  h4: (element) => [heading(element)],
  p: ({ children }) => [inline(children)],
  ul: (element) => [list(element)],
  dl: (element) => [definitions(element)],
  table: (element) => [table(element)],
  details,
}

function block(element: Element): string[] {
  const write = writers[element.name]
  if (!write) throw new Error(`there is no Markdown for <${element.name}>`)
  return write(element)
}

const heading = ({ name, children }: Element): string =>
  `${'#'.repeat(Number(name.slice(1)))} ${inline(children)}`

function div(element: Element): string[] {
  const { children } = element
  const language = attributeOf(element, 'class').match(/(?:^| )language-(\w+)/)?.[1]
  if (language) return [fence(element, language)]
  if (hasClass(element, 'field-head')) return [fieldHead(children)]
  return hasClass(element, 'choice') ? [choice(element)] : blocks(children)
}

/** A label and the values to choose from. */
function choice(element: Element): string {
  const [label, ...values] = elementsOf(element)
  const told = join(blocks(values))
  return `${inline(label?.children ?? [])}:${told.startsWith('- ') ? '\n' : ' '}${told}`
}

function fence(element: Element, language: string): string {
  const pre = findElement(element.children, ({ name }) => name === 'pre')
  return `\`\`\`${language}\n${pre ? textOf(pre) : ''}\n\`\`\``
}

/** `name` (type, required) */
function fieldHead(children: Node[]): string {
  const [name = '', ...words] = children
    .filter((child) => typeof child !== 'string')
    .map((child) => inline([child]))
  return `${name} (${words.join(', ')})`
}

function list(element: Element): string {
  const items = elementsOf(element)
  if (hasClass(element, 'rules')) return items.map(({ children }) => inline(children)).join(' ')
  if (hasClass(element, 'facts')) return items.map(labelled).join('; ')
  if (hasClass(element, 'plain')) return items.map(({ children }) => inline(children)).join(', ')
  if (hasClass(element, 'values')) return items.map((value) => item([labelled(value)])).join('\n')
  return items.map(({ children }) => item(blocks(children))).join('\n')
}

const elementsOf = ({ children }: Element): Element[] =>
  children.filter((child) => typeof child !== 'string')

/** What comes first names the rest. */
function labelled({ children: [label, ...text] }: Element): string {
  const words = [label ? inline([label]) : '', inline(text)]
  return words.filter((part) => part !== '').join(': ')
}

const item = (texts: string[]): string => `- ${join(texts).replaceAll(/\n(?=[^\n])/g, '\n  ')}`

/** Lines of one item; what follows a list needs a gap, or it would belong to the list's last item. */
const join = (texts: string[]): string =>
  texts.reduce((all, text) => {
    if (all === '') return text
    const afterList = /(?:^|\n)\s*- [^\n]*$/.test(all) && !text.startsWith('- ')
    return `${all}${afterList ? '\n\n' : '\n'}${text}`
  }, '')

function definitions(element: Element): string {
  const rows = elementsOf(element).map((row) => {
    const [term, told] = elementsOf(row)
    const texts = blocks(told?.children ?? [])
    const name = `${inline(term?.children ?? [])}:`
    return item(texts[0]?.startsWith('- ') ? [name, ...texts] : [`${name} ${join(texts)}`])
  })
  return rows.join('\n')
}

function table(element: Element): string {
  const [head = [], ...rows] = elementsOf(element).flatMap(elementsOf).map(cellsOf)
  const rule = head.map(() => '---')
  return [head, rule, ...rows].map((cells) => `| ${cells.join(' | ')} |`).join('\n')
}

const cellsOf = (row: Element): string[] =>
  elementsOf(row).map(({ children }) => blocks(children).join(' ').replaceAll('|', '\\|'))

/** What can be unfolded is told; the line to click on only where it says more than a number. */
function details(element: Element): string[] {
  if (hasClass(element, 'example')) return example(element)
  if (hasClass(element, 'choice')) return [choice(element)]
  const [, ...told] = elementsOf(element)
  return blocks(told)
}

/** The summary with the name, the description, and the code; only the first one as a command too. */
function example(element: Element): string[] {
  const [summary, ...others] = elementsOf(element)
  const name = others.find((other) => hasClass(other, 'example-name'))
  const told = blocks(others.filter((other) => other !== name))
  const codes = told.filter((text) => text.startsWith('```'))
  const rest = told.filter((text) => !text.startsWith('```'))
  const shown = element.attributes.endsWith(' open') ? codes : codes.slice(0, 1)
  const title = `**${inline(summary?.children ?? [])}** (${inline(name?.children ?? [])})`
  return [title, ...rest, ...shown]
}
