import { existsSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import {
  type DefaultTheme,
  defineConfigWithTheme,
  type HeadConfig,
  type UserConfig,
} from 'vitepress'
import { interfaceTitle } from '../../scripts/contract/contract.ts'
import { base } from '../../scripts/docs/base.ts'
import { feedFile } from '../../scripts/docs/changelog-page.ts'
import { editLinks, ownRepository } from '../../scripts/docs/edit-link.ts'
import { synonyms } from '../../scripts/docs/glossary.ts'
import { hasPart } from '../../scripts/docs/has-part.ts'
import { markdownOptions } from '../../scripts/docs/markdown-renderer.ts'
import { alternate } from '../../scripts/docs/markdown-version.ts'
import { nav, sidebar } from '../../scripts/docs/navigation.ts'
import { pagesFolder } from '../../scripts/docs/pages-folder.ts'
import { latestSite } from '../../scripts/docs/site.ts'
import { restoreSample } from './samples.ts'
import { expanderOf, fieldOf, splitWords, weightOf } from './search.ts'
import { ownComponents, themeFixes } from './theme-fixes.ts'

const site = latestSite()

/** The settings of the theme, and what its page for missing pages links to. */
export type ThemeConfig = DefaultTheme.Config & { hasGlossary: boolean }

/** VitePress on the pages that `scripts/docs/main.ts` writes into `.cache/docs`. */
export const config: UserConfig<ThemeConfig> = defineConfigWithTheme<ThemeConfig>({
  title: interfaceTitle,
  description: String(site.contract.info['summary' as 'description']),
  lang: 'en',
  base,
  cleanUrls: true,
  metaChunk: true,
  srcDir: pagesFolder,
  srcExclude: ['public/**'],
  cacheDir: '../../.cache/vitepress',
  router: { prefetchLinks: false },
  head: [
    ['link', { rel: 'icon', type: 'image/svg+xml', href: `${base}icon.svg` }],
    ...(hasPart('changelog')
      ? [alternate(feedFile, 'application/atom+xml', 'Changelog') as HeadConfig]
      : []),
    ['script', {}, restoreSample],
    ['meta', { name: 'referrer', content: 'no-referrer' }],
  ],
  markdown: markdownOptions(site.links),
  vite: {
    logLevel: 'warn',
    resolve: { alias: ownComponents },
    plugins: [themeFixes],
    build: { chunkSizeWarningLimit: 2000 },
    // Its esbuild is older than the target of our tsconfig.json.
    esbuild: { tsconfigRaw: { compilerOptions: { target: 'es2022' } } },
  },
  themeConfig: {
    hasGlossary: hasPart('glossary'),
    logo: { src: '/icon.svg', alt: '' },
    nav,
    sidebar: sidebar(site),
    outline: { level: 2 },
    ...editLinks(ownRepository()),
    docFooter: { prev: false, next: false },
    externalLinkIcon: true,
    search: {
      provider: 'local',
      options: {
        detailedView: false,
        _render: (source, env, markdown) =>
          existsSync(searchFile(env.path))
            ? ''
            : withoutFigures(env.path, markdown.render(source, env)),
        miniSearch: {
          // VitePress passes these on as they are, though its type lists only some of them.
          options: {
            tokenize: splitWords,
            storeFields: ['title', 'titles', 'excerpt'],
            extractField: fieldOf,
          } as object,
          searchOptions: {
            boostDocument: weightOf,
            processTerm: expanderOf(hasPart('glossary') ? synonyms : {}),
          },
          // Where it returns undefined, VitePress splits the page itself; its types leave that out.
          _splitIntoSections: ((path: string) => {
            const file = searchFile(path)
            return existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')) : undefined
          }) as never,
        },
      },
    },
  },
})

/**
 * Nobody looks for a page by the figures in its tables, and there are thousands of them. The words
 * of a diagram stand in the text too.
 */
function withoutFigures(page: string, html: string): string {
  const text = html.replace(/<figure class="diagram".*?<\/figure>/gs, '')
  return /\/(speed|trust)\//.test(page) ? text.replace(/<table.*?<\/table>/gs, '') : text
}

/** What a page is to be found by, where that is not its text. */
function searchFile(page: string): string {
  return join(dirname(page), 'search.json')
}
