import { join } from 'node:path'
import type { Page, Part } from './html.ts'
import { twinPath } from './twin-links.ts'
import { alternate } from './twins.ts'

/** A file's name below the folder of pages, and its content. */
export type File = [name: string, content: string]

/** A page, its static parts, its twin for machines, and what the search is to find it by. */
export function filesOf(page: Page, twin: string): File[] {
  const { path, title, description, options, parts, sections } = page
  const head = [alternate(twinPath(path), 'text/markdown', 'This page as Markdown')]
  const matter = Object.entries({ title, description, head, ...options })
  const lines = matter.map(([key, value]) => `${key}: ${JSON.stringify(value)}`)
  const names = parts.flatMap((part, index) => ('html' in part ? [`Static${index}`] : []))
  const script = `<script setup>\nimport { ${names.join(', ')} } from './static.js'\n</script>`
  const tags = parts.map((part, index) => tagOf(part, `Static${index}`))
  const source = names.length > 0 ? [script, ...tags] : tags
  const search: File[] = sections ? [[join(path, 'search.json'), JSON.stringify(sections)]] : []
  return [
    [join(path, 'index.md'), `---\n${lines.join('\n')}\n---\n\n${source.join('\n\n')}\n`],
    [join(path, 'static.js'), staticModule(parts)],
    [join('public', twinPath(path)), twin],
    ...search,
  ]
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
