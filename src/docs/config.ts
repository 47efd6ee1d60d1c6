import { existsSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { type DefaultTheme, defineConfig, type MarkdownOptions, type UserConfig } from 'vitepress'
import { preBlock } from '../../scripts/docs/highlight.ts'
import { base, codeLink, type Links } from '../../scripts/docs/html.ts'
import { nav, sidebar } from '../../scripts/docs/navigation.ts'
import { readSite } from '../../scripts/docs/site.ts'
import { splitWords, weightOf } from './search.ts'

const site = readSite()

/** VitePress on the pages that `scripts/docs.ts` writes into `.cache/docs`. */
export const config: UserConfig<DefaultTheme.Config> = defineConfig({
  title: 'Financial Data Service',
  description: String(site.contract.info['summary' as 'description']),
  lang: 'en',
  base,
  cleanUrls: true,
  metaChunk: true,
  srcDir: '../../.cache/docs',
  cacheDir: '../../.cache/vitepress',
  router: { prefetchLinks: false },
  head: [
    ['link', { rel: 'icon', type: 'image/svg+xml', href: `${base}icon.svg` }],
    ['meta', { name: 'referrer', content: 'no-referrer' }],
  ],
  markdown: markdownOptions(site.links),
  vite: {
    logLevel: 'warn',
    build: { chunkSizeWarningLimit: 2000 },
    // Its esbuild is older than the target of our tsconfig.json.
    esbuild: { tsconfigRaw: { compilerOptions: { target: 'es2022' } } },
  },
  themeConfig: {
    logo: { src: '/icon.svg', alt: '' },
    nav,
    sidebar: sidebar(site),
    outline: { level: 2 },
    docFooter: { prev: false, next: false },
    externalLinkIcon: true,
    search: {
      provider: 'local',
      options: {
        detailedView: false,
        _render: (source, env, markdown) =>
          existsSync(searchFile(env.path)) ? '' : markdown.render(source, env),
        miniSearch: {
          options: { tokenize: splitWords },
          searchOptions: { boostDocument: weightOf },
          _splitIntoSections: ((path: string) => {
            const file = searchFile(path)
            return existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')) : undefined
          }) as never,
        },
      },
    },
  },
})

/** What a page is to be found by, where that is not its text. */
function searchFile(page: string): string {
  return join(dirname(page), 'search.json')
}

/** Our own colors for code, and links on the names that have a page. */
function markdownOptions(links: Links): MarkdownOptions {
  return {
    highlight: preBlock,
    config: (markdown) => {
      markdown.renderer.rules['code_inline'] = (tokens, index) =>
        codeLink(tokens[index]?.content ?? '', links).replace('<code', '<code v-pre')
    },
  }
}
