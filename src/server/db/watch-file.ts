import { statSync } from 'node:fs'
import { stat } from 'node:fs/promises'

const everyMs = 1000

/** Whether an open file still exists under its name. */
interface FileWatch {
  isGone(): boolean
  stop(): void
}

/**
 * Checks once a second whether the file of an open store was deleted or replaced. In that case the
 * system keeps new writes only until the process ends.
 */
export function watchFile(file: string): FileWatch {
  const opened = statSync(file)
  let isGone = false
  async function check(): Promise<void> {
    const found = await stat(file).catch((error: NodeJS.ErrnoException) => error)
    if (found instanceof Error) isGone = found.code === 'ENOENT' || found.code === 'ENOTDIR'
    else isGone = found.ino !== opened.ino || found.dev !== opened.dev
  }
  const timer = setInterval(() => void check(), everyMs)
  timer.unref()
  return { isGone: () => isGone, stop: () => clearInterval(timer) }
}

/** For a store in memory: it has no file that another process could delete. */
export const noFile: FileWatch = { isGone: () => false, stop: () => {} }
