import { createHash } from 'node:crypto'
import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { root } from '../contract/contract.ts'
import { pagesFolder } from './pages-folder.ts'

/** What a site is made of, beside the pages: the theme, what configures it, and VitePress. */
const sources = ['src/docs/**/*.{ts,vue,css,mjs}', 'scripts/docs/*.ts', 'package-lock.json']

/** A hash of everything that the site is made of; the same one means the same site. */
export function fingerprint(): string {
  const pages = globSync('**/*.{md,js,json,svg,txt,atom}', { cwd: pagesFolder }).map((file) =>
    join(pagesFolder, file),
  )
  const others = sources.flatMap((pattern) => globSync(pattern, { cwd: root }))
  const hash = createHash('sha256')
  for (const file of [...pages, ...others.map((file) => join(root, file))].sort()) {
    hash
      .update(`${file.replace(root, '')}\0`)
      .update(readFileSync(file))
      .update('\0')
  }
  return hash.digest('hex')
}
