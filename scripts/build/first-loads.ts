import { basename } from 'node:path'
import { gzipSync } from 'node:zlib'
import type { Rolldown } from 'vite'
import { closure } from '../../src/contract/closure.ts'

type Output = Rolldown.RolldownOutput['output'][number]

/**
 * The bytes, gzipped, that a browser loads before each page can be shown: the document, the styles, and
 * all scripts that start and page import. What a page loads later, such as a chart, is no part of it.
 */
export function firstLoads({ output }: Rolldown.RolldownOutput): Record<string, number> {
  const parts = new Map<string, Output>(output.map((part) => [part.fileName, part]))
  const sizeOf = (name: string): number => gzipSync(contentOf(parts.get(name)), { level: 9 }).length
  const start = output.filter((part) => part.type === 'chunk' && part.isEntry)
  const pages = output.filter((part) => part.type === 'chunk' && isPage(part.facadeModuleId))
  const entries = pages.map((page) => {
    const first = [...start, page].map(({ fileName }) => fileName)
    const needed = closure(first, (name) => importsOf(parts.get(name)))
    const document = ['index.html', ...stylesOfStart(parts)]
    const sizes = [...document, ...needed].map(sizeOf)
    return [basename(page.fileName).split('-')[0] ?? '', sizes.reduce((sum, one) => sum + one, 0)]
  })
  return Object.fromEntries(entries)
}

const isPage = (module: string | null): boolean => /\/pages\/.*Page\.vue$/.test(module ?? '')

const importsOf = (part: Output | undefined): string[] =>
  part?.type === 'chunk' ? part.imports : []

/** The styles that the document names. */
function stylesOfStart(parts: ReadonlyMap<string, Output>): string[] {
  const html = contentOf(parts.get('index.html')).toString()
  return [...parts.keys()].filter((name) => name.endsWith('.css') && html.includes(name))
}

function contentOf(part: Output | undefined): Buffer {
  if (!part) throw new Error('the build of the dashboard names a file that it does not have')
  return Buffer.from(part.type === 'chunk' ? part.code : part.source)
}
