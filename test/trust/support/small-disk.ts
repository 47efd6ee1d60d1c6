import { spawnSync } from 'node:child_process'
import { closeSync, mkdirSync, mkdtempSync, openSync, rmSync, writeSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/** A file system of its own, which can be filled. */
export interface SmallDisk {
  folder: string
  /** Leaves no room for a single byte more. */
  fill(): void
  /** Takes away what filled it. */
  free(): void
  /** Lets nothing be written, or again. */
  allowWrites(allowed: boolean): void
  remove(): void
}

const mount = (...args: string[]) => spawnSync('mount', args).status === 0

/** Mounts one, where this process may; undefined elsewhere. */
export function mountDisk(megabytes: number): SmallDisk | undefined {
  const folder = mkdtempSync(join(tmpdir(), 'small-disk-'))
  if (!mount('-t', 'tmpfs', '-o', `size=${megabytes}m`, 'tmpfs', folder)) return undefined
  const filler = join(folder, 'filler')
  return {
    folder,
    fill() {
      mkdirSync(filler, { recursive: true })
      // By single pages at last, since the service may have taken a part of a larger piece.
      for (const size of [1 << 20, 1 << 16, 1 << 12]) writeUntilFull(filler, size)
    },
    free: () => rmSync(filler, { recursive: true, force: true }),
    allowWrites(allowed) {
      if (!mount('-o', `remount,${allowed ? 'rw' : 'ro'}`, folder)) throw new Error('no remount')
    },
    remove() {
      spawnSync('umount', ['-l', folder])
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

function writeUntilFull(folder: string, size: number): void {
  const file = openSync(join(folder, String(size)), 'a')
  try {
    for (;;) writeSync(file, Buffer.alloc(size, 1))
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOSPC') throw error
  } finally {
    closeSync(file)
  }
}
