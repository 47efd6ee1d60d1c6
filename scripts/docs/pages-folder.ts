import { join } from 'node:path'
import { root } from '../contract/contract.ts'
import { isOwn } from '../contract/place.ts'
import { base, serviceBase } from './base.ts'

/** Other contracts can be built at the same time. */
function folderName(): string {
  if (!isOwn) return `docs-${process.pid}`
  return base === serviceBase ? 'docs' : 'docs-elsewhere'
}

/** The pages as VitePress reads them. A site for another path has a folder of its own, so that both builds can reuse files. */
export const pagesFolder: string = join(root, '.cache', folderName())
