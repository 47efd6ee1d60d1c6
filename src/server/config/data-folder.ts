import { accessSync, constants, rmdirSync, rmSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { makeFolder } from '../kernel/write-durably.ts'
import { ConfigError } from './read-option.ts'

/**
 * Makes the folder of the data, for its owner only, unless it is there; says in one line why not.
 * Returns a function that removes the folders of this start, for a start that fails.
 */
export function prepareDataFolder(folder: string): () => void {
  let made: string[]
  try {
    made = makeFolder(folder)
    if (!statSync(folder).isDirectory()) throw notFolder
    accessSync(folder, constants.W_OK | constants.X_OK)
  } catch (error) {
    throw new ConfigError(`--data (DATA_DIR): ${folder} ${reasonOf(error)}`)
  }
  return () => removeFolders(made)
}

/** Removes a folder of data with all in it, and those above it that hold nothing else. */
function removeFolders([folder, ...above]: readonly string[]): void {
  if (folder === undefined) return
  rmSync(folder, { recursive: true, force: true })
  try {
    for (const one of above) rmdirSync(one)
  } catch {
    // Another process uses the folder, so the folders above it stay too.
  }
}

const notFolder = new Error('is no folder')

function reasonOf(error: unknown): string {
  if (error === notFolder) return notFolder.message
  const { code = '' } = error as NodeJS.ErrnoException
  if (['EEXIST', 'ENOTDIR'].includes(code)) return 'lies below what is no folder'
  return `cannot be made or written (${code})`
}

export const databaseFile = (folder: string): string => join(folder, 'service.sqlite')
export const keyFile = (folder: string): string => join(folder, 'encryption.key')

/** Passes a failure to open the store on, as one line where the file itself is the reason. */
export const explainingStore = (folder: string | undefined) => (error: unknown) => {
  const { code, message } = error as NodeJS.ErrnoException
  if (folder === undefined || code !== 'ERR_SQLITE_ERROR') throw error
  throw new ConfigError(`${databaseFile(folder)} cannot be used: ${message}`)
}
