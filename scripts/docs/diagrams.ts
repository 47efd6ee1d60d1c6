import { createHash } from 'node:crypto'
import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { root } from '../contract/contract.ts'
import { drawingSettings } from './diagram-settings.ts'
import { escapeHtml } from './escape-html.ts'
import { guideFolder } from './guides.ts'

/** Where the drawings are, each an SVG file that `npm run diagrams` makes of a Mermaid source. */
export const diagramFolder = 'src/docs/diagrams'

/** The rules that draw a diagram in the colors of the docs; each SVG file carries them too. */
const styleFile = 'src/docs/.vitepress/theme/style/diagrams.css'
const colorFile = 'src/docs/.vitepress/theme/style/colors.css'

export interface Diagram {
  /** The name of its file, made of its title. */
  name: string
  title: string
  source: string
  /** Of everything that the file is made of. */
  hash: string
}

/** A block of Mermaid as a diagram. It says in words what it shows: `accTitle` and `accDescr`. */
export function readDiagram(source: string): Diagram {
  const [, title] = source.match(/^\s*accTitle: (.+)$/m) ?? []
  if (!title || !/^\s*accDescr: .+$/m.test(source)) {
    throw new Error(`this diagram needs a line accTitle and a line accDescr:\n${source}`)
  }
  const name = title.toLowerCase().replaceAll(/\W+/g, '-')
  const made = [source.trim(), diagramStyle(), JSON.stringify(drawingSettings)].join('\n')
  const hash = createHash('sha256').update(made).digest('hex')
  return { name, title, source, hash: hash.slice(0, 16) }
}

/** Every diagram of the guides, and that of the first page. */
export function everyDiagram(): Diagram[] {
  const files = globSync([`${guideFolder}/*.md`, `${diagramFolder}/*.md`], { cwd: root }).sort()
  return files.flatMap((file) => {
    const blocks = readFileSync(join(root, file), 'utf8').matchAll(/^```mermaid\n(.*?)^```$/gms)
    return [...blocks].map(([, source = '']) => readDiagram(source))
  })
}

export const diagramFile = ({ name }: Diagram): string => `${diagramFolder}/${name}.svg`

/** The diagram for a page, which gives the colors. On a narrow screen it scrolls in its box. */
export function diagramFigure(source: string): string {
  const diagram = readDiagram(source)
  const svg = readFileSync(join(root, diagramFile(diagram)), 'utf8')
  if (!svg.includes(`data-source="${diagram.hash}"`)) {
    throw new Error(`${diagramFile(diagram)} is older than its source: run \`npm run diagrams\``)
  }
  const drawing = svg.replace(/<style>.*?<\/style>/s, '').trim()
  const label = escapeHtml(diagram.title)
  return `<figure class="diagram" tabindex="0" aria-label="${label}" v-pre>${drawing}</figure>`
}

/** The picture of the first page and of the README, as Markdown. */
export const overviewDiagram = (): string =>
  readFileSync(join(root, diagramFolder, 'overview.md'), 'utf8').replace(/^.*?(?=^```)/ms, '')

/** The style of a file that stands alone: the rules, with the colors of light and of dark pages. */
export function diagramStyle(): string {
  const rules = readFileSync(join(root, styleFile), 'utf8').replaceAll(/\/\*.*?\*\/\s*/gs, '')
  const colors = readFileSync(join(root, colorFile), 'utf8')
  const names = [...new Set([...rules.matchAll(/var\((--[\w-]+)/g)].map(([, name]) => name))]
  const valuesOf = (selector: string): string => {
    const [, block = ''] = colors.match(new RegExp(`^${selector} \\{(.*?)^\\}`, 'ms')) ?? []
    const lines = names.map((name) => block.match(new RegExp(`^  ${name}: [^;]+;`, 'm'))?.[0] ?? '')
    return lines.filter(Boolean).join('\n')
  }
  return `:root {\n${valuesOf(':root')}\n}
@media (prefers-color-scheme: dark) {\n:root {\n${valuesOf('\\.dark')}\n}\n}
${rules.trim()}`
}
