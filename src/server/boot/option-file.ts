import { readFile, stat } from 'node:fs/promises'
import { whyNotRead } from '../../not-read.ts'
import { ContentError } from '../../yaml/content-error.ts'
import { ConfigError } from '../config/read-option.ts'

/** Reads a file that an option names. @throws ConfigError with every mistake */
export async function readOptionFile<Content>(
  option: string,
  file: string,
  read: (bytes: Uint8Array) => Content | Promise<Content>,
): Promise<Content> {
  const bytes = await readRegular(file).catch(({ code }: NodeJS.ErrnoException) => {
    throw new ConfigError(`${option}: ${file}: ${whyNotRead(code)}`)
  })
  try {
    return await read(bytes)
  } catch (error) {
    if (error instanceof ContentError) throw new ConfigError(error.message)
    throw error
  }
}

/** A pipe that nobody writes to would keep the service from reading again, and from ending. */
async function readRegular(file: string): Promise<Uint8Array> {
  const found = await stat(file)
  if (found.isFile()) return readFile(file)
  throw Object.assign(new Error('no file'), { code: found.isDirectory() ? 'EISDIR' : 'ENOTREG' })
}
