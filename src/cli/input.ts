import { readFile } from 'node:fs/promises'
import { buffer } from 'node:stream/consumers'
import { whyNotRead } from '../not-read.ts'
import { UsageError } from './usage-error.ts'

/** The bytes of a file, or of standard input where none is named or it is called `-`. */
export function readInput(file: string | undefined): Promise<Buffer> {
  if (file !== undefined && file !== '-') return readOrFail(file, readFile(file))
  if (process.stdin.isTTY) throw new UsageError('name a file, or pipe the body in')
  // As a stream: read at once, a pipe whose writer is slow would be an error.
  return readOrFail('standard input', buffer(process.stdin))
}

/** The text of a file that an option names. */
export const readText = (file: string): Promise<string> => readOrFail(file, readFile(file, 'utf8'))

async function readOrFail<Content>(name: string, reading: Promise<Content>): Promise<Content> {
  try {
    return await reading
  } catch (error) {
    throw toReadError(name, error)
  }
}

/** What to say of a file that cannot be read; any other error as it is. */
export function toReadError(name: string, error: unknown): unknown {
  const { code, syscall } = error as NodeJS.ErrnoException
  // A write is of standard output.
  if (syscall === undefined || syscall === 'write') return error
  return new UsageError(`${name}: ${whyNotRead(code)}`)
}
