import { ContentError } from './content-error.ts'

/** The text of a file in UTF-8, without the mark at its beginning. @throws ContentError */
export function decode(
  file: string,
  bytes: Uint8Array,
  most: { bytes: number; name: string },
): string {
  const place = { file, line: 1, column: 1, path: '' }
  const wrong = (message: string) => new ContentError([{ place, path: '', message }])
  if (bytes.length > most.bytes) throw wrong(`the file must be at most ${most.name}`)
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  } catch {
    throw wrong('the file must be in UTF-8')
  }
}
