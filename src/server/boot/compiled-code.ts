import { readdirSync, rmSync, statSync } from 'node:fs'
import { constants, enableCompileCache, flushCompileCache, getCompileCacheDir } from 'node:module'
import { join } from 'node:path'
import { makeFolder } from '../kernel/write-durably.ts'

/** Set when the program is built, to a digest of all that it is made of. */
declare const PROGRAM_ID: string | undefined

const program = typeof PROGRAM_ID === 'string' ? PROGRAM_ID : 'sources'

/**
 * Takes the code of what is loaded from here on as an earlier start has compiled it, which saves a
 * tenth of a start; returns what keeps it for the next one. It lies beside the data and nowhere else:
 * whoever can write there rules the service anyway, and in a folder for all anybody could put code
 * of his own. Where it cannot be kept, nothing is lost but the time.
 */
export function useCompiledCode(data: string | undefined): () => void {
  if (data === undefined || !isOurs(data)) return () => {}
  const folder = join(data, 'compiled')
  const own = join(folder, program)
  // Where the environment names a folder for it, that is in use.
  if (getCompileCacheDir() !== undefined || !canMake(own)) return () => {}
  const { status } = enableCompileCache(own)
  if (status !== constants.compileCacheStatus.ENABLED) return () => {}
  return () => {
    flushCompileCache()
    removeOlder(folder)
  }
}

/** Whether a folder is there, and nobody else can write into it; Windows cannot tell. */
function isOurs(folder: string): boolean {
  try {
    const { uid, mode } = statSync(folder)
    return uid === process.getuid?.() && (mode & 0o022) === 0
  } catch {
    return false
  }
}

/** Whether a folder is there, or was made: Node tries for ever where none can be, as in /proc. */
function canMake(folder: string): boolean {
  try {
    makeFolder(folder)
    return true
  } catch {
    return false
  }
}

/** What programs before this one have left is of no use to it. */
function removeOlder(folder: string): void {
  try {
    for (const name of readdirSync(folder).filter((name) => name !== program)) {
      rmSync(join(folder, name), { recursive: true, force: true })
    }
  } catch {
    // It takes room, and no more.
  }
}
