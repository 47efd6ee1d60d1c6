import { createFifo, type Fifo } from './fifo.ts'

/** Entries of several shares: each share has its turn, whatever the others hold. */
export interface FairQueue<Entry> {
  /** How many shares hold entries. */
  shares(): number
  lengthOf(share: string): number
  push(share: string, entry: Entry): void
  /** The first entry of the next share whose first one is not blocked. */
  shift(isBlocked: (first: Entry) => boolean): Entry | undefined
}

/** Takes one entry of each share after the other (round robin), and those of a share in their order. */
export function createFairQueue<Entry>(): FairQueue<Entry> {
  const queues = new Map<string, Fifo<Entry>>()
  const ring = createFifo<string>()
  return {
    shares: () => queues.size,
    lengthOf: (share) => queues.get(share)?.length() ?? 0,
    push(share, entry) {
      let queue = queues.get(share)
      if (!queue) {
        queue = createFifo()
        queues.set(share, queue)
        ring.push(share)
      }
      queue.push(entry)
    },
    shift(isBlocked) {
      for (let tried = ring.length(); tried > 0; tried -= 1) {
        const share = ring.shift() as string
        const queue = queues.get(share) as Fifo<Entry>
        if (isBlocked(queue.first() as Entry)) {
          ring.push(share)
          continue
        }
        const entry = queue.shift()
        if (queue.length() === 0) queues.delete(share)
        else ring.push(share)
        return entry
      }
      return undefined
    },
  }
}
