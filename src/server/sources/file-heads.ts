import type { Rejection } from './connector.ts'

const headBytes = 64

/** Passes the bytes of a file on, and keeps the first ones. */
export function watchHead(bytes: AsyncIterable<Uint8Array>) {
  let head = Buffer.alloc(0)
  return {
    async *bytes() {
      for await (const piece of bytes) {
        if (head.length < headBytes) {
          head = Buffer.concat([head, piece.subarray(0, headBytes - head.length)])
        }
        yield piece
      }
    },
    head: () => head,
  }
}

/** As much as tells what a file is, and more than that. */
const mostKept = 256 * 1024

/**
 * Passes the bytes of a file on, and keeps those at the beginning, so that the file can be read from
 * there again if only they were asked for.
 */
export function keepFirst(bytes: AsyncIterable<Uint8Array>) {
  const pieces = bytes[Symbol.asyncIterator]()
  let first: Uint8Array[] | undefined = []
  let size = 0
  async function* rest() {
    for (;;) {
      const { value, done } = await pieces.next()
      if (done) return
      // The reader has gone on for long: nobody will ask for the beginning.
      if (size > mostKept) first = undefined
      first?.push(value)
      size += value.length
      yield value
    }
  }
  return {
    bytes: rest,
    async *again() {
      const kept = first
      if (!kept) throw new Error('the beginning of a file was not kept')
      yield* kept
      first = []
      for (;;) {
        const { value, done } = await pieces.next()
        if (done) return
        yield value
      }
    },
  }
}

/** What people send by mistake, by its first bytes in hexadecimal. */
const binary: readonly (readonly [RegExp, Rejection])[] = [
  [/^25504446/, 'filePdf'],
  // A zip, which a workbook of today is too; gzip, RAR and 7z.
  [/^(?:504b0|1f8b|52617221|377abcaf)/, 'fileArchive'],
  [/^d0cf11e0/, 'fileWorkbook'],
  [/^(?:ffd8ff|89504e47|47494638|52494646|.{8}66747970)/, 'filePicture'],
  [/^(?:efbbbf|fffe|feff)?(?:00|09|0a|0d|20)*$/, 'fileEmpty'],
]

/** Why a file that is no statement cannot be read. */
export function whatItIs(head: Buffer): Rejection {
  const bytes = head.toString('hex')
  const found = binary.find(([beginning]) => beginning.test(bytes))
  if (found) return found[1]
  return /^\s*(?:<!doctype html|<html)/i.test(head.toString()) ? 'fileWebPage' : 'fileUnknown'
}
