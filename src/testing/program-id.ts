import { createHash } from 'node:crypto'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

/** Set when the program is built, to a digest of everything that it is made of. */
declare const PROGRAM_ID: string | undefined

const sources = join(import.meta.dirname, '../server')

/**
 * Tells apart programs that could make different worlds of the same wishes; undefined where that is
 * not known.
 */
export function programId(): string | undefined {
  if (typeof PROGRAM_ID === 'string') return PROGRAM_ID
  return existsSync(sources) ? digestOf(sources) : undefined
}

/** A digest of all files in a folder. */
export function digestOf(folder: string): string {
  const digest = createHash('sha256')
  const files = readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
  for (const file of files.sort())
    digest.update(file.slice(folder.length)).update(readFileSync(file))
  return digest.digest('hex')
}
