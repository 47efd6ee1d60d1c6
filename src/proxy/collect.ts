/** What of a body has been read, up to a bound. */
export interface Collected {
  add(chunk: Buffer): void
  /** Whether the body is longer than the bound. What was read is dropped then. */
  isOver(): boolean
  /** The chunks so far. */
  take(): Buffer[]
  /** The whole body; undefined if it is over. */
  whole(): Buffer | undefined
}

export function createCollected(mostBytes: number): Collected {
  let chunks: Buffer[] = []
  let size = 0
  return {
    add(chunk) {
      size += chunk.length
      if (size <= mostBytes) chunks.push(chunk)
      else chunks = []
    },
    isOver: () => size > mostBytes,
    take: () => chunks,
    whole: () => (size > mostBytes ? undefined : Buffer.concat(chunks)),
  }
}
