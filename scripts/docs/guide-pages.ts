import { base } from './base.ts'
import { guides } from './guides.ts'
import { type Page, type Part, staticHtml } from './html.ts'
import { metricTable } from './metric-table.ts'
import { differencesForGuide } from './move-pages.ts'
import { optionTable } from './option-table.ts'
import type { Site } from './site.ts'

/** Tables that a guide inserts by a comment, since their content is defined elsewhere. */
const insertions: Record<string, (site: Site) => Part> = {
  '<!-- options -->': () => ({ markdown: optionTable() }),
  '<!-- metrics -->': () => ({ markdown: metricTable() }),
  '<!-- differences -->': (site) => staticHtml(differencesForGuide(site)),
}

/** The chapters of the docs. */
export const guidePages = (site: Site): Page[] =>
  guides().map(({ path, source, title, lead, markdown }) => ({
    path,
    source,
    title,
    description: lead,
    options: { outline: 2, prev: true, next: true },
    parts: markdown.split(/^(<!-- .+ -->)$/m).map((text) => {
      const insert = insertions[text]
      return insert ? insert(site) : { markdown: linkFiles(text) }
    }),
  }))

/** VitePress puts the base before links to pages, and leaves those to files as they are. */
const linkFiles = (markdown: string): string =>
  markdown.replaceAll(/\]\(\/([^)\s]+\.(?:json|txt|atom))\)/g, `](${base}$1)`)
