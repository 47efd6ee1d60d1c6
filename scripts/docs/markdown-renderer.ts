import { createMarkdownRenderer, type MarkdownOptions, type MarkdownRenderer } from 'vitepress'
import { base } from './base.ts'
import { diagramFigure } from './diagrams.ts'
import { preBlock } from './highlight.ts'
import { codeLink, type Links } from './html.ts'
import { pagesFolder } from './pages-folder.ts'

/** A link inside a link is none. */
const noLinks: Links = new Map()

/** Our own colors for code, and links on the names that have a page. */
export const markdownOptions = (links: Links): MarkdownOptions => ({
  highlight: preBlock,
  config: (markdown) => {
    markdown.renderer.rules['code_inline'] = (tokens, index) => {
      const before = tokens.slice(0, index).findLast(({ type }) => type.startsWith('link_'))
      const known = before?.type === 'link_open' ? noLinks : links
      return codeLink(tokens[index]?.content ?? '', known).replace('<code', '<code v-pre')
    }
    const fence = markdown.renderer.rules.fence
    markdown.renderer.rules.fence = (tokens, index, options, env, renderer) => {
      const { info = '', content = '' } = tokens[index] ?? {}
      return info === 'mermaid'
        ? diagramFigure(content)
        : (fence?.(tokens, index, options, env, renderer) ?? '')
    }
    // A corner that heads nothing is no header.
    markdown.renderer.rules['th_open'] = (tokens, index, options, _env, renderer) =>
      tokens[index + 1]?.content === '' ? '<td>' : renderer.renderToken(tokens, index, options)
    markdown.renderer.rules['th_close'] = (tokens, index) =>
      tokens[index - 1]?.content === '' ? '</td>' : '</th>'
  },
})

/** The renderer of the site. VitePress has one for all its pages, so this must be of one kind with it. */
export const siteRenderer = (links: Links): Promise<MarkdownRenderer> =>
  createMarkdownRenderer(pagesFolder, markdownOptions(links), base)
