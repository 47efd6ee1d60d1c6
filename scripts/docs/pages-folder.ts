import { join } from 'node:path'
import { root } from '../contract/contract.ts'
import { base, serviceBase } from './base.ts'

/** The pages as VitePress takes them. A site for another place has its own, so that both are built quickly. */
export const pagesFolder: string = join(
  root,
  '.cache',
  base === serviceBase ? 'docs' : 'docs-elsewhere',
)
