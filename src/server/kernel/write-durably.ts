import {
  closeSync,
  existsSync,
  fsyncSync,
  mkdirSync,
  openSync,
  renameSync,
  writeFileSync,
} from 'node:fs'
import { dirname } from 'node:path'

/** Writes a small file, for its owner only: after a power cut it is there as a whole, or not at all. */
export function writeDurably(file: string, content: string | Uint8Array): void {
  const unfinished = `${file}.new`
  writeFileSync(unfinished, content, { mode: 0o600, flush: true })
  renameSync(unfinished, file)
  syncFolder(dirname(file))
}

/**
 * Makes a folder and those above it, for their owner only, so that they survive a power cut; returns
 * those that it made, the lowest first. Node's own way of making everything that is missing never ends where
 * nothing can be made, as in /proc.
 */
export function makeFolder(folder: string): string[] {
  if (existsSync(folder)) return []
  const above = makeFolder(dirname(folder))
  mkdirSync(folder, { mode: 0o700 })
  syncFolder(dirname(folder))
  return [folder, ...above]
}

/** Sees to it that what was made, named or renamed in a folder survives a power cut. */
export function syncFolder(folder: string): void {
  // Windows opens no folders, and keeps the names in its own log.
  if (process.platform === 'win32') return
  const opened = openSync(folder, 'r')
  try {
    fsyncSync(opened)
  } finally {
    closeSync(opened)
  }
}
