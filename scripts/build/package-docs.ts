import { basename, dirname, join, relative } from 'node:path'
import { documents, root } from '../contract/contract.ts'
import { base, serviceBase } from '../docs/base.ts'
import { everyPage } from '../docs/every-page.ts'
import { pageList } from '../docs/llms.ts'
import { markdownPath } from '../docs/markdown-links.ts'
import { markdownOf } from '../docs/markdown-version.ts'
import { readSite } from '../docs/site.ts'
import { worldSchemaFile } from '../generate/world-schema.ts'

const folder = 'docs'

/** The list of all pages, which takes the place of the first one. */
const index = `${folder}/README.md`

/** What the package has elsewhere than among the pages, by its path in the docs. */
const elsewhere: Record<string, string> = {
  'index.md': index,
  'changelog.md': 'CHANGELOG.md',
  [`openapi/${basename(worldSchemaFile)}`]: join('dist', relative(root, worldSchemaFile)),
  ...Object.fromEntries(
    documents.map((name) => [`openapi/${name}.json`, `dist/generated/${name}/openapi.json`]),
  ),
}

const fileOf = (path: string): string => elsewhere[path] ?? join(folder, path)

/** The docs as files of the package: every page as Markdown, with links from file to file. */
export function packageDocs(): Map<string, string> {
  const pages = everyPage(readSite()).filter(({ path }) => !(markdownPath(path) in elsewhere))
  const texts = pages.map((page) => [fileOf(markdownPath(page.path)), markdownOf(page)] as const)
  const all: (readonly [string, string])[] = [...texts, [index, indexOf(pages)]]
  return new Map(all.map(([file, text]) => [file, withFileLinks(text, file)]))
}

const indexOf = (pages: Parameters<typeof pageList>[0]): string =>
  ['# Docs', 'Every page of the docs, as Markdown.', ...pageList(pages)].join('\n\n').concat('\n')

/** Links to pages of the docs, as the site has them, lead to files; blocks of code stay as they are. */
const withFileLinks = (text: string, from: string): string =>
  text
    .split(/^(```[\s\S]*?^```)/m)
    .map((part) => (part.startsWith('```') ? part : linked(part, from)))
    .join('')

function linked(text: string, from: string): string {
  return text.replaceAll(/\]\(([^)\s#]+)(#[^)\s]*)?\)/g, (link, address: string, hash = '') => {
    if (!address.startsWith(base)) return link
    return `](${relative(dirname(from), fileOf(address.slice(base.length)))}${hash})`
  })
}

/** A picture of the README. */
const image = /\]\(src\/docs\/diagrams\/([\w-]+\.svg)\)/g

/** The pictures that the README shows, by the files that the package has of them. */
export const picturesOf = (readme: string): Map<string, string> =>
  new Map(
    [...readme.matchAll(image)].map(([, name]) => [
      `${folder}/${name}`,
      `src/docs/diagrams/${name}`,
    ]),
  )

/**
 * The README of the package: without the parts for a checkout, with those for the package, and with links
 * to its own files in place of those to a running service.
 */
export const packageReadme = (readme: string): string =>
  readme
    .replaceAll(/<!-- checkout -->\n[\s\S]*?<!-- \/checkout -->\n+/g, '')
    .replaceAll(/<!-- package\n([\s\S]*?)-->\n/g, '$1')
    .replaceAll(image, `](${folder}/$1)`)
    .replaceAll(/\]\(http:\/\/127\.0\.0\.1:4000([^)\s#]*)(#[^)\s]*)?\)/g, (_, path, hash = '') => {
      const page = markdownPath(String(path).slice(serviceBase.length))
      return `](${fileOf(page)}${hash})`
    })
    // What else it links is in the checkout only.
    .replaceAll(/\[([^\]]+)\]\(openapi\/[^)]*\)/g, '$1')
