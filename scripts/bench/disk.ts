import { statfsSync } from 'node:fs'

// What Linux calls tmpfs.
const memoryType = 0x01021994

/** What is written to memory costs nothing that a disk costs. */
export function requireDisk(folder: string): void {
  if (statfsSync(folder).type !== memoryType) return
  throw new Error(`${folder} is in memory: name a folder on a disk, as TMPDIR`)
}
