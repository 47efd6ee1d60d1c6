import { join } from 'node:path'
import { build } from 'vitepress'
import { hintOf } from '../../src/nearest.ts'
import { root } from '../contract/contract.ts'
import { PageError } from './page-error.ts'
import { pagesFolder } from './pages-folder.ts'

/** Builds the pages that were written, all of them or `only` some, into a folder. */
export const buildSite = (folder: string, only: readonly string[] = []): Promise<void> =>
  build(join(root, 'src/docs'), {
    outDir: folder,
    onAfterConfigResolve: (config) => {
      config.tempDir = `${pagesFolder}-build`
      if (only.length === 0) return
      const pathOf = (page: string) => page.replace('index.md', '')
      const paths = config.pages.map(pathOf)
      const wanted = only.map((path) => (/(^|\/)$/.test(path) ? path : `${path}/`))
      const unknown = wanted.find((path) => !paths.includes(path))
      if (unknown !== undefined) {
        throw new PageError(`--only: there is no page ${unknown}${hintOf(unknown, paths)}`)
      }
      config.pages = config.pages.filter((page) => wanted.includes(pathOf(page)))
      config.ignoreDeadLinks = true
    },
  })
