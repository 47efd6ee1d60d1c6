import { globSync, readFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { root } from '../contract/contract.ts'
import { hasPart } from './has-part.ts'
import { PageError } from './page-error.ts'

/** Where the guides are; the number before a name is its position in the sidebar. */
export const guideFolder = 'src/docs/guides'

/** The chapters of the docs, each a Markdown file. */
export interface Guide {
  path: string
  /** Its file, from the root folder. */
  source: string
  title: string
  /** What the page is about. */
  lead: string
  /** The number before its name. */
  place: number
  markdown: string
}

export function guides(): Guide[] {
  if (!hasPart('guides')) return []
  const files = globSync(`${guideFolder}/*.md`, { cwd: root }).sort()
  return files.map((file) => readGuide(file, readFileSync(join(root, file), 'utf8')))
}

/** A heading and a paragraph open a guide: its title, and what the page is about. */
function readGuide(file: string, source: string): Guide {
  const [, title, lead] = source.match(/^# (.+)\n\n((?:.+\n)+)/) ?? []
  if (!title || !lead) throw new PageError(`${file} does not begin with a heading and a paragraph`)
  const [, place, name] = basename(file, '.md').match(/^(\d+)-(.+)$/) ?? []
  if (!place) throw new PageError(`${file} needs a number before its name, which says its place`)
  return {
    path: `guides/${name}/`,
    source: file.replaceAll('\\', '/'),
    title,
    lead: plain(lead),
    place: Number(place),
    markdown: source.replace(lead, `${lead.trimEnd()} {.lead}\n`),
  }
}

const plain = (markdown: string): string =>
  markdown
    .trim()
    .replaceAll(/\[([^\]]+)\]\([^)]+\)/g, '$1')
    .replaceAll('\n', ' ')
    .replaceAll('`', '')
