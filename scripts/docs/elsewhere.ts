import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { outFolder } from '../contract/place.ts'
import { buildSite } from './build-site.ts'
import { pagesFolder } from './pages-folder.ts'
import { writePages } from './write-pages.ts'

/** Builds the docs of another contract beside what is generated for it. */
export async function docsElsewhere(): Promise<void> {
  const start = performance.now()
  try {
    await writePages()
    await buildSite(join(outFolder, 'docs'))
  } finally {
    for (const folder of [pagesFolder, `${pagesFolder}-build`]) {
      rmSync(folder, { recursive: true, force: true })
    }
  }
  console.log(`${'docs'.padEnd(12)}${Math.round(performance.now() - start)} ms`)
}
