import { join } from 'node:path'
import { root } from '../contract/contract.ts'
import { base, serviceBase } from './base.ts'

/** The pages as VitePress reads them. A site for another path has a folder of its own, so that both builds can reuse files. */
export const pagesFolder: string = join(
  root,
  '.cache',
  base === serviceBase ? 'docs' : 'docs-elsewhere',
)
