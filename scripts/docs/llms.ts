import { describeUndated, undated } from '../contract/undated.ts'
import { base } from './base.ts'
import { hasPart } from './has-part.ts'
import type { Page } from './html.ts'
import { markdownPath } from './markdown-links.ts'
import type { PageWithText } from './page-files.ts'

/** The parts of the index; a page belongs to the first whose folder it is in. */
const chapters: [folder: string, title: string][] = [
  ['overview/', 'Start'],
  ['guides/', 'Guides'],
  ['glossary/', 'Guides'],
  ['speed/', 'Guides'],
  ['trust/', 'Guides'],
  ['operations/', 'Operations'],
  ['webhooks/', 'Webhooks'],
  ...undated.map((name): [string, string] => [`${name}/`, describeUndated(name).page]),
  ['errors/', 'Errors'],
  ['versions/', 'Versions'],
  ['changelog/', 'Versions'],
  ['', 'Start'],
]

/** The index for machines, a line for each page, in the form of https://llmstxt.org. */
export function llmsIndex(pages: Page[]): string {
  const [start] = pages.filter(({ path }) => path === '')
  const opening = [
    `# ${start?.title}`,
    `> ${oneLine(start?.description ?? '')}`,
    `Each link leads to a page as Markdown. [All of them](${base}llms-full.txt) are one file too.`,
    ...(hasPart('guides')
      ? [
          `A running service answers agents by the Model Context Protocol, at \`/mcp\`: [Ask it](${base}${markdownPath('guides/ask-it/')}).`,
        ]
      : []),
  ]
  return `${[...opening, ...pageList(pages)].join('\n\n')}\n`
}

/** The chapters of the pages, each a heading with a list of links. */
export const pageList = (pages: Page[]): string[] =>
  [...Map.groupBy(pages, ({ path }) => chapterOf(path))].map(([title, group]) =>
    [`## ${title}`, '', ...group.map(line)].join('\n'),
  )

const chapterOf = (path: string): string =>
  chapters.find(([folder]) => path.startsWith(folder))?.[1] ?? ''

const line = ({ title, path, description }: Page): string =>
  `- [${title}](${base}${markdownPath(path)}): ${oneLine(description)}`

const oneLine = (text: string): string => text.trim().replaceAll(/\s+/g, ' ')

/** The text of all pages, each under its address. */
export const llmsFull = (pages: PageWithText[]): string =>
  pages.map(({ path, text }) => `Page: ${base}${path}\n\n${text}`).join('\n---\n\n')
