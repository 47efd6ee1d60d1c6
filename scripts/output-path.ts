import { existsSync, readdirSync, realpathSync, statSync } from 'node:fs'
import { basename, dirname, join, relative, resolve, sep } from 'node:path'
import { root } from './contract/place.ts'

/** Folders of the checkout that hold sources, or git's own files: nothing is built into them. */
export const sourceFolders: readonly string[] = [
  ...['.ci', '.git', '.github', 'generated', 'openapi', 'scripts', 'src', 'test'],
]

/** Where a path leads, also if its last parts are not there yet. */
function realPath(path: string): string {
  const full = resolve(path)
  if (existsSync(full)) return realpathSync(full)
  const parent = dirname(full)
  return parent === full ? full : join(realPath(parent), basename(full))
}

/** The part of a path that is there. */
const existing = (path: string): string =>
  existsSync(path) || dirname(path) === path ? path : existing(dirname(path))

const isFolder = (path: string): boolean => statSync(path).isDirectory()

const isWithin = (path: string, folder: string): boolean => `${path}${sep}`.startsWith(folder + sep)

/**
 * Why a folder may not be emptied for what is built, in one line; undefined if it may. `isEarlier`
 * tells what the same script has written from what is somebody else's.
 */
export function folderMistake(
  folder: string,
  isEarlier: (folder: string) => boolean,
  checkout = root,
): string | undefined {
  const [path, own] = [realPath(folder), realpathSync(checkout)]
  if (path === own) return `${folder} is the checkout, which is not replaced`
  if (isWithin(own, path)) return `${folder} contains the checkout, and is not replaced`
  const [first = ''] = isWithin(path, own) ? relative(own, path).split(sep) : []
  if (sourceFolders.includes(first)) return `${folder} is in the sources of the checkout`
  const there = existing(path)
  if (!isFolder(there)) return `${there} is a file, and no folder`
  if (there !== path || readdirSync(path).length === 0 || isEarlier(resolve(folder)))
    return undefined
  return `${folder} is not empty, and was not built by this script: name an empty folder`
}

/** Why nothing can be written to a file, in one line; undefined if something can. */
export function fileMistake(file: string): string | undefined {
  if (file === '') return 'no file is named'
  const path = resolve(file)
  if (existsSync(path)) return isFolder(path) ? `${file} is a folder, and no file` : undefined
  const folder = dirname(path)
  if (existsSync(folder) && isFolder(folder)) return undefined
  return `there is no folder ${folder} to write ${basename(path)} in`
}
