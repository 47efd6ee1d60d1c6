import { attributeOf, type Element, hasClass, type Node, textOf } from './html-tree.ts'
import { twinLink } from './twin-links.ts'

/** Things to click on, which a text has no use for. */
const isControl = (element: Element): boolean =>
  ['button', 'input', 'label', 'nav'].includes(element.name) ||
  hasClass(element, 'header-anchor') ||
  hasClass(element, 'lang') ||
  hasClass(element, 'visually-hidden')

const writers: Record<string, (element: Element) => string> = {
  a: link,
  code: (element) => code(textOf(element)),
  em: (element) => `*${inline(element.children)}*`,
  strong: (element) => `**${inline(element.children)}**`,
  span,
  wbr: () => '',
}

export const isInline = (node: Node): boolean =>
  typeof node === 'string' || isControl(node) || node.name in writers

/** Text, code and links as one line of Markdown. */
export function inline(nodes: Node[]): string {
  const parts = nodes.map((node) => {
    if (typeof node === 'string') return escapeMarkdown(node.replaceAll(/\s+/g, ' '))
    if (isControl(node)) return ''
    const write = writers[node.name]
    if (!write) throw new Error(`<${node.name}> has no place in a line of text`)
    return write(node)
  })
  return parts.join('').replaceAll(/ +/g, ' ').trim()
}

const escapeMarkdown = (text: string): string => text.replaceAll(/[\\`*<[\]]/g, '\\$&')

const code = (text: string): string => (text.includes('`') ? `\`\` ${text} \`\`` : `\`${text}\``)

function link(element: Element): string {
  const href = attributeOf(element, 'href')
  const text = inline(element.children)
  return href.startsWith('#') ? text : `[${text}](${twinLink(href)})`
}

/** A span is a matter of looks, but for those that stand on a line of their own. */
function span(element: Element): string {
  const text = ` ${inline(element.children)} `
  return hasClass(element, 'meaning') || hasClass(element, 'told') ? `: ${text.trimStart()}` : text
}
