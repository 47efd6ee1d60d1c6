import { readdirSync, rmSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { build } from 'vitepress'
import { root } from './contract.ts'
import { writePages } from './docs/write-pages.ts'

const site = join(root, 'dist/docs')

/** Builds the docs site from the contract. */
async function docs(): Promise<void> {
  const start = performance.now()
  console.log(`docs: ${writePages()} pages written after ${seconds(start)}`)
  rmSync(site, { recursive: true, force: true })
  await build(join(root, 'src/docs'), {
    outDir: site,
    onAfterConfigResolve: (config) => {
      config.tempDir = join(root, '.cache/docs-build')
    },
  })
  console.log(`docs: ${megabytes(site)} MB in dist/docs after ${seconds(start)}`)
}

const seconds = (start: number): string => `${((performance.now() - start) / 1000).toFixed(1)} s`

function megabytes(folder: string): string {
  const files = readdirSync(folder, { recursive: true, encoding: 'utf8' })
  const bytes = files.reduce((sum, file) => sum + statSync(join(folder, file)).size, 0)
  return (bytes / 1e6).toFixed(1)
}

try {
  await docs()
} catch (error) {
  console.error('docs: the site could not be built')
  console.error(error instanceof Error ? error.stack : error)
  process.exitCode = 1
}
