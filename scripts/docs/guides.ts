import { globSync, readFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { root } from '../contract.ts'
import type { Page } from './html.ts'
import { optionTable } from './option-table.ts'

/** Where the guides are; the number before a name is its place in the sidebar. */
export const guideFolder = 'src/docs/guides'

/** What a guide can have in place of a line, since it is told elsewhere already. */
const insertions: Record<string, () => string> = { '<!-- options -->': optionTable }

/** The chapters beside the introduction, each a Markdown file. */
export function guides(): Page[] {
  const files = globSync(`${guideFolder}/*.md`, { cwd: root }).sort()
  return files.map((file) => guide(file, readFileSync(join(root, file), 'utf8')))
}

/** A heading and a paragraph open a guide: its title, and what the page is about. */
function guide(file: string, source: string): Page {
  const [, title, lead] = source.match(/^# (.+)\n\n((?:.+\n)+)/) ?? []
  if (!title || !lead) throw new Error(`${file} does not begin with a heading and a paragraph`)
  const name = basename(file, '.md').replace(/^\d+-/, '')
  const marked = source.replace(lead, `${lead.trimEnd()} {.lead}\n`)
  const markdown = Object.entries(insertions).reduce(
    (text, [mark, insert]) => text.replace(mark, insert),
    marked,
  )
  return {
    path: `guides/${name}/`,
    title,
    description: lead.trim().replaceAll('\n', ' ').replaceAll('`', ''),
    options: { outline: 2 },
    parts: [{ markdown }],
  }
}
