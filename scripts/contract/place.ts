import { join, relative } from 'node:path'
import { readPlace, typedIn } from './choose-place.ts'

/** The repository's root folder. */
export const root: string = join(import.meta.dirname, '../..')

const chosen = readPlace()

/** Whether it is the contract of this service, and not one that `--contract` names. */
export const isOwn: boolean = chosen === undefined

/** The folder that paths of the contract's files start from, in messages too. */
export const base: string = isOwn ? root : typedIn()

/** The folder of the contract, from {@link base}. */
export const contractFolder: string = chosen
  ? relative(base, chosen.contract).replaceAll('\\', '/')
  : 'openapi'

/** The folder that holds `generated/`. */
export const outFolder: string = chosen?.out ?? root
