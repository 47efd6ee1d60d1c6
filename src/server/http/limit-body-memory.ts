import type { ServerResponse } from 'node:http'
import type { Readable } from 'node:stream'
import { createCounts } from '../kernel/counts.ts'
import { Overloaded } from '../pipeline/overloaded-error.ts'
import { maximumBody } from '../pipeline/parse-body.ts'

/** The limit of received bytes of long bodies whose requests are not answered yet. */
const mostBytes = 64 * maximumBody
/** The same limit for one address. */
const mostOfAddress = mostBytes / 2

interface Arrival {
  body: Readable
  response: ServerResponse
  address: string
  bytes: number
}

interface BodyMemoryLimit {
  /** Counts the bytes of a body until its request is answered. */
  watch(body: Readable, response: ServerResponse, address: string): void
}

/**
 * Limits the memory for request bodies. Only received bytes count, not the declared length. Above the
 * limit the oldest unfinished body is rejected with 503, so slow senders do not block the others.
 */
export function createBodyMemoryLimit(): BodyMemoryLimit {
  /** The unfinished bodies, the oldest first. */
  const arriving = new Set<Arrival>()
  const ofAddress = createCounts()
  let total = 0

  function count(arrival: Arrival, bytes: number): void {
    arrival.bytes += bytes
    total += bytes
    ofAddress.add(arrival.address, bytes)
  }

  function release(arrival: Arrival): void {
    arriving.delete(arrival)
    count(arrival, -arrival.bytes)
  }

  function reject(arrival: Arrival): void {
    release(arrival)
    if (arrival.response.headersSent) return
    // The rest of the body is not read.
    arrival.response.setHeader('Connection', 'close')
    // The reader of the body fails with this error.
    if (arrival.body.listenerCount('error') > 0) arrival.body.emit('error', Overloaded.after(0))
  }

  function makeRoom({ address }: Arrival): void {
    while (ofAddress.of(address) > mostOfAddress) {
      const oldest = [...arriving].find((other) => other.address === address)
      if (!oldest) break
      reject(oldest)
    }
    while (total > mostBytes) {
      const oldest = arriving.values().next().value
      if (!oldest) break
      reject(oldest)
    }
  }

  return {
    watch(body, response, address) {
      const arrival: Arrival = { body, response, address, bytes: 0 }
      arriving.add(arrival)
      body.on('data', (chunk: Buffer) => {
        if (!arriving.has(arrival)) return
        count(arrival, chunk.length)
        // Longer bodies are rejected elsewhere, and their bytes are discarded.
        if (arrival.bytes > maximumBody) release(arrival)
        else makeRoom(arrival)
      })
      body.once('end', () => arriving.delete(arrival))
      response.once('close', () => release(arrival))
    },
  }
}
