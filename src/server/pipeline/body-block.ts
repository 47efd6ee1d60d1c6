import { type Head, withoutCredentials } from './call-bodies.ts'
import type { Headers } from './credentials.ts'

// The bodies of pending calls are copied into one block of memory. References to them would keep
// thousands of objects for a moment, which every garbage collection would move: that took longer
// than all else that storing a call takes.

/** What of a call is stored beside its entry, while its bodies are in a block. */
export interface PendingBodies {
  block: BodyBlock
  headers: Record<string, string>
  /** Where the request is in the block: -1 where it is not stored. */
  start: number
  end: number
  /** Where the response is. */
  answerStart: number
  answerEnd: number
  /** Whether a body was longer than what is stored of it. */
  cut: boolean
  /** Whether it came with a bearer token, which is not stored. */
  bearer: boolean
}

/** The bodies of calls until these are written. */
export interface BodyBlock {
  /** Undefined where the block has no room. `ascii` is the body as text. */
  addRequest(headers: Headers, body: Uint8Array, ascii: string): PendingBodies | undefined
  /** Whether a text of this length would fit, however many bytes its characters have. */
  hasRoomFor(length: number): boolean
  /** `cut`: whether the text is only the first part of a longer one. False where there is no room. */
  addAnswer(bodies: PendingBodies, text: string, cut?: boolean): boolean
  /** Copies a part of it, and returns its length. */
  copy(target: Buffer, place: number, start: number, end: number): number
  clear(): void
}

/** Longer bodies are cut here. */
export const longestStored = 64 * 1024
/**
 * What is stored of the bodies of pending calls. Under more load, further calls are stored without
 * theirs: they would take the memory and the time of the calls that come.
 */
const capacity = 2 * 1024 * 1024
/** The most bytes of a character in UTF-8, by its length in a string. */
const widest = 3

/** Headers that change an answer, or say who sent a request; none holds a credential. */
const shownHeaders = ['content-type', 'prefer', 'service-version', 'user-agent'] as const
const longestHeader = 1024

export function createBodyBlock(): BodyBlock {
  // The system gives pages of it memory when they are first written to.
  let bytes: Buffer | undefined
  let [end, shown] = [0, {} as Record<string, string>]

  /** Returns the end of what was written, or -1 where there is no room. */
  function write(text: Uint8Array | string): number {
    const most = typeof text === 'string' ? text.length * widest : text.length
    if (end + most > capacity) return -1
    bytes ??= Buffer.allocUnsafeSlow(capacity)
    if (typeof text === 'string') end += bytes.write(text, end)
    else {
      bytes.set(text, end)
      end += text.length
    }
    return end
  }

  /** Callers send the same headers again and again. */
  function shownOf(headers: Headers): Record<string, string> {
    for (const name of shownHeaders) {
      if (headers[name] !== shown[name]) {
        shown = {}
        for (const other of shownHeaders) {
          const value = headers[other]
          if (value !== undefined) shown[other] = value.slice(0, longestHeader)
        }
        break
      }
    }
    return shown
  }

  const block: BodyBlock = {
    addRequest(headers, body, ascii) {
      const text = withoutCredentials(body, ascii, headers['content-type'] ?? '')
      const isLong = text !== null && text.length > longestStored
      const start = text === null ? -1 : end
      const written = text === null ? -1 : write(isLong ? text.slice(0, longestStored) : text)
      if (text !== null && written < 0) return undefined
      return {
        block,
        headers: shownOf(headers),
        start,
        end: written,
        answerStart: -1,
        answerEnd: -1,
        cut: isLong,
        bearer: headers['authorization']?.slice(0, 7).toLowerCase() === 'bearer ',
      }
    },
    hasRoomFor: (length) => end + length * widest <= capacity,
    addAnswer(bodies, text, cut = false) {
      const isLong = text.length > longestStored
      const start = end
      const written = write(isLong ? text.slice(0, longestStored) : text)
      if (written < 0) return false
      bodies.answerStart = start
      bodies.answerEnd = written
      bodies.cut ||= isLong || cut
      return true
    },
    copy: (target, place, start, last) => bytes?.copy(target, place, start, last) ?? 0,
    clear() {
      end = 0
    },
  }
  return block
}

/** Bodies as they are sealed: what describes them, and their bytes one after the other. */
export function packBodies(all: readonly (PendingBodies | undefined)[]) {
  let size = 0
  for (const one of all) if (one) size += one.end - one.start + one.answerEnd - one.answerStart
  const packed = Buffer.allocUnsafe(size)
  let place = 0
  /** Returns the length of a body; null where it is not stored. */
  const take = ({ block }: PendingBodies, start: number, end: number): number | null => {
    if (start < 0) return null
    place += block.copy(packed, place, start, end)
    return end - start
  }
  const heads = all.map((one): Head | null => {
    if (!one) return null
    const request = take(one, one.start, one.end)
    const answer = take(one, one.answerStart, one.answerEnd)
    return [one.headers, request, answer, one.cut, one.bearer]
  })
  return { heads, bodies: packed }
}
