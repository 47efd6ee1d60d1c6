import { join } from 'node:path'
import { editAddress, type Repository } from './edit-link.ts'
import type { Page, Part } from './html.ts'
import { markdownPath } from './markdown-links.ts'
import { alternate } from './markdown-version.ts'

/** A file's name below the folder of pages, and its content. */
export type File = [name: string, content: string]

/** A page with its Markdown version. */
export type PageWithText = Page & { text: string }

/** A page, its static parts, its Markdown version, and what the search finds it by. */
export function filesOf(page: PageWithText, repository: Repository): File[] {
  const { path, title, description, options, parts, sections, text } = page
  const head = [alternate(markdownPath(path), 'text/markdown', 'This page as Markdown')]
  const matter = Object.entries({
    title,
    description,
    head,
    ...options,
    ...editLink(page, repository),
  })
  const lines = matter.map(([key, value]) => `${key}: ${JSON.stringify(value)}`)
  const names = parts.flatMap((part, index) => ('html' in part ? [`Static${index}`] : []))
  const script = `<script setup>\nimport { ${names.join(', ')} } from './static.js'\n</script>`
  const tags = parts.map((part, index) => tagOf(part, `Static${index}`))
  const source = names.length > 0 ? [script, ...tags] : tags
  const search: File[] = sections ? [[join(path, 'search.json'), JSON.stringify(sections)]] : []
  return [
    [join(path, 'index.md'), `---\n${lines.join('\n')}\n---\n\n${source.join('\n\n')}\n`],
    [join(path, 'static.js'), staticModule(parts)],
    [join('public', markdownPath(path)), text],
    ...search,
  ]
}

/** Pages without a file of their own have no link, even if the others have one. */
function editLink({ source }: Page, repository: Repository): Record<string, unknown> {
  if (repository === undefined) return {}
  return source ? { edit: editAddress(repository, source) } : { editLink: false }
}

function tagOf(part: Part, name: string): string {
  if ('markdown' in part) return part.markdown
  return 'template' in part ? part.template : `<${name} />`
}

/**
 * HTML comes in by the call that Vue's compiler would make of it, and in a module of its own. So no
 * compiler need read it, and VitePress, which knows the call, leaves it out of what a visited page
 * loads.
 */
function staticModule(parts: Part[]): string {
  const constants = parts.map((part, index) => {
    if (!('html' in part)) return ''
    return `export const Static${index} = () => createStaticVNode(${JSON.stringify(part.html)}, 1)`
  })
  return ["import { createStaticVNode } from 'vue'", ...constants, ''].join('\n')
}
