import { randomBytes } from 'node:crypto'
import { lstatSync, mkdirSync, readdirSync, readFileSync, statSync } from 'node:fs'
import { rename, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { crc32 } from 'node:zlib'

/** A database that is ready to be used, and what has to be known of it. */
export interface Image {
  bytes: Uint8Array
  /** The ENCRYPTION_KEY of its columns and hashes. */
  key: Uint8Array
  /** From when, and until before when, it is as a new one would be; real time in ms. */
  from: number
  until: number
}

interface Header extends Pick<Image, 'from' | 'until'> {
  key: string
  length: number
  checksum: number
}

/** Another number for each change of this file's own form. */
const mark = 'financial-data-service image 1\n'
const mostHeader = 1000
const keptMs = 2 * 86_400_000

/** Where images are kept; undefined where no folder is that only this user can write to. */
export function imageFolder(): string | undefined {
  // Not from `userInfo`, which fails for a number that no account has. Windows has no numbers.
  const uid = process.getuid?.() ?? -1
  const folder = join(tmpdir(), `financial-data-service-${uid}`)
  try {
    mkdirSync(folder, { mode: 0o700, recursive: true })
    return isPrivate(folder, uid) ? folder : undefined
  } catch {
    // Without a folder every start makes its own world.
    return undefined
  }
}

/** Whether nobody else could have put anything there. On Windows the folder is the user's anyway. */
export function isPrivate(folder: string, uid: number): boolean {
  const found = lstatSync(folder)
  if (process.platform === 'win32') return found.isDirectory()
  return found.isDirectory() && found.uid === uid && (found.mode & 0o077) === 0
}

/** Reads an image; undefined for one that is missing, broken or not whole. */
export function readImage(file: string): Image | undefined {
  try {
    return parseImage(readFileSync(file))
  } catch {
    return undefined
  }
}

function parseImage(content: Buffer): Image | undefined {
  const start = content.indexOf('\n', mark.length) + 1
  if (start === 0 || start > mostHeader) return undefined
  if (content.toString('latin1', 0, mark.length) !== mark) return undefined
  const header = JSON.parse(content.toString('latin1', mark.length, start)) as Header
  const bytes = content.subarray(start)
  if (bytes.length !== header.length || crc32(bytes) !== header.checksum) return undefined
  return { bytes, key: Buffer.from(header.key, 'hex'), from: header.from, until: header.until }
}

/** Writes an image as a whole or not at all; what cannot be written is made again next time. */
export async function writeImage(file: string, { bytes, key, from, until }: Image): Promise<void> {
  const header: Header = {
    key: Buffer.from(key).toString('hex'),
    from,
    until,
    length: bytes.length,
    checksum: crc32(bytes),
  }
  const unfinished = `${file}.${randomBytes(8).toString('hex')}.tmp`
  try {
    const parts = [Buffer.from(`${mark}${JSON.stringify(header)}\n`), bytes]
    await writeFile(unfinished, parts, { mode: 0o600, flag: 'wx' })
    await rename(unfinished, file)
  } catch {
    await rm(unfinished, { force: true }).catch(() => {})
  }
}

/** Removes what nobody has written to for days. */
export async function removeOld(folder: string, now: number): Promise<void> {
  for (const name of readdirSync(folder)) {
    const file = join(folder, name)
    try {
      if (now - statSync(file).mtimeMs > keptMs) await rm(file, { force: true })
    } catch {
      // Another process was first.
    }
  }
}
