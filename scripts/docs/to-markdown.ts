import { compile } from 'css-select'
import { DomUtils, parseDocument } from 'htmlparser2'
import { markdownLink } from './markdown-links.ts'

type Node = ReturnType<typeof parseDocument>['children'][number]
type Element = Extract<Node, { attribs: unknown }>

/** Writes an element as Markdown; `content` is the Markdown of what is inside. */
type Write = (content: string, element: Element) => string

const nothing: Write = () => ''
const same: Write = (content) => content
const block: Write = (content) => `\n\n${content.trim()}\n\n`
/** In a list item, blocks follow each other without an empty line. */
const line: Write = (content) => `\n${content.trim()}\n`
const item: Write = (content) => `\n- ${content.trim().replaceAll(/\n(?=[^\n])/g, '\n  ')}\n`
const row: Write = (content) => `\n|${content}\n`
const before =
  (mark: string): Write =>
  (content) =>
    mark + content
const after =
  (mark: string): Write =>
  (content) =>
    content + mark

/** The first selector that fits an element decides how it is written. */
const rules: [selector: string, write: Write][] = [
  // Controls, and what only a screen reader needs.
  ['button, input, label, nav, wbr, .header-anchor, .lang, .visually-hidden', nothing],
  // Of all examples but the first, one form is enough.
  ['.example:not([open]) .blocks > :not(:first-child), .example-name', nothing],
  [
    '.example > summary',
    (content, { parent }) => `**${content}** (\`${(parent as Element).attribs['id']}\`)`,
  ],
  ['[class*=language-]', fence],
  ['.field-head .field-type', before('(')],
  ['.field-head .badge', before(', ')],
  ['.field-head', (content) => `${content.replaceAll(' ,', ',')})\n`],
  ['.choice', line],
  ['.fact, .choice > summary, dt', after(': ')],
  // The content follows in any case, so the label of the control is not needed.
  ['summary', nothing],
  ['.facts > :not(:last-child)', after('; ')],
  ['.plain > :not(:last-child)', after(', ')],
  ['.rules > :not(:last-child)', after(' ')],
  ['.facts > *, .plain > *, .rules > *, .choice > .plain, .choice > .rules', same],
  ['.facts, .rules', line],
  ['.values > li', (content, element) => item(content.replace(/^(`[^`]+`) /, '$1: '), element)],
  ['dl > div, li', item],
  // Without an empty line, text after a list would belong to the list's last item.
  ['li ul, dd ul', (content) => `\n${content.trim()}\n\n`],
  ['li p, li div, li details', line],
  ['p, div, section, details, dl, ul, table', block],
  [
    'h1, h2, h3, h4',
    (content, { name }) => `\n\n${'#'.repeat(Number(name[1]))} ${content.trim()}\n\n`,
  ],
  ['thead tr', (content, tr) => `${row(content, tr)}|${' --- |'.repeat(tr.children.length)}\n`],
  ['tr', row],
  ['td, th', (content) => ` ${content.trim().replaceAll(/\s+/g, ' ').replaceAll('|', '\\|')} |`],
  ['.meaning', before(': ')],
  ['span + span, a + span', before(' ')],
  ['dd, thead, tbody, span, pre, a[href^="#"]', same],
  ['a', (content, { attribs }) => `[${content}](${markdownLink(attribs['href'] ?? '')})`],
  ['code', (_content, element) => code(DomUtils.textContent(element))],
  ['em', (content) => `*${content}*`],
  ['strong', (content) => `**${content}**`],
]
const compiled = rules.map(([selector, write]) => ({ matches: compile(selector), write }))

/** Writes the HTML of a page as Markdown. */
export function toMarkdown(html: string): string {
  checkTags(html)
  return writeAll(parseDocument(html).children).trim()
}

const writeAll = (nodes: Node[]): string => nodes.map(write).reduce(joined, '')

function write(node: Node): string {
  if (node.type === 'text') return escapeMarkdown(node.data.replaceAll(/\s+/g, ' '))
  if (!('attribs' in node)) throw new Error(`there is no Markdown for a ${node.type}`)
  const rule = compiled.find(({ matches }) => matches(node))
  // An element without a rule stops the build, so that nothing is left out unnoticed.
  if (!rule) throw new Error(`there is no Markdown for <${node.name}>`)
  return rule.write(writeAll(node.children), node)
}

/** Where white space meets, the larger gap counts. */
function joined(left: string, right: string): string {
  const [start, end] = [left.trimEnd(), right.trimStart()]
  const gaps = [left.slice(start.length), right.slice(0, right.length - end.length)]
  const lines = Math.max(...gaps.map((gap) => gap.split('\n').length - 1))
  return start + (lines > 0 ? '\n'.repeat(lines) : gaps.join('').slice(0, 1)) + end
}

const escapeMarkdown = (text: string): string => text.replaceAll(/[\\`*<[\]]/g, '\\$&')

const code = (text: string): string => (text.includes('`') ? `\`\` ${text} \`\`` : `\`${text}\``)

function fence(_content: string, element: Element): string {
  const [, language] = /language-(\w+)/.exec(element.attribs['class'] ?? '') ?? []
  const source = DomUtils.textContent(DomUtils.getElementsByTagName('pre', element))
  return `\n\n\`\`\`${language}\n${source}\n\`\`\`\n\n`
}

/** A parser of HTML closes what was left open; here that is a defect, and stops the build. */
function checkTags(html: string): void {
  const open: string[] = []
  for (const [, slash, name = ''] of html.matchAll(/<(\/?)([a-z][a-z0-9]*)/g)) {
    if (!slash && !['wbr', 'input', 'br'].includes(name)) open.push(name)
    const last = slash ? open.pop() : name
    if (last !== name) throw new Error(`<${last}> ends with </${name}>`)
  }
  if (open.length > 0) throw new Error(`<${open.at(-1)}> is never closed`)
}
