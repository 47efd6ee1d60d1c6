import { join } from 'node:path'
import { build } from 'vitepress'
import { root } from '../contract/contract.ts'
import { pagesFolder } from './pages-folder.ts'

/** Builds the pages that were written, all of them or those of some paths, into a folder. */
export const buildSite = (folder: string, paths: readonly string[] = []): Promise<void> =>
  build(join(root, 'src/docs'), {
    outDir: folder,
    onAfterConfigResolve: (config) => {
      config.tempDir = `${pagesFolder}-build`
      if (paths.length === 0) return
      config.pages = config.pages.filter((page) => paths.includes(page.replace('index.md', '')))
      config.ignoreDeadLinks = true
    },
  })
