import type { ServerResponse } from 'node:http'
import type { Readable } from 'node:stream'
import { Overloaded } from '../pipeline/overloaded.ts'
import { maximumBody } from '../pipeline/parse-body.ts'

/** What has come of long bodies whose requests are not answered yet, in bytes. */
const mostBytes = 64 * maximumBody
/** Of these, what has come from one address. */
const mostOfAddress = mostBytes / 2

interface Arrival {
  body: Readable
  response: ServerResponse
  address: string
  bytes: number
}

export interface BodyMemoryLimit {
  /** Counts what comes of a body until its request is answered. */
  watch(body: Readable, response: ServerResponse, address: string): void
}

/**
 * Bounds how much of bodies is held. Only what has come counts, whatever was declared. Where that is
 * too much, the body ends with 503 that has been coming for longest: those who send slowly take no
 * room from those who do not.
 */
export function createBodyMemoryLimit(): BodyMemoryLimit {
  /** Those of which more will come, the one that began first before the others. */
  const arriving = new Set<Arrival>()
  const ofAddress = new Map<string, number>()
  let total = 0

  function count(arrival: Arrival, bytes: number): void {
    arrival.bytes += bytes
    total += bytes
    const sum = (ofAddress.get(arrival.address) ?? 0) + bytes
    if (sum > 0) ofAddress.set(arrival.address, sum)
    else ofAddress.delete(arrival.address)
  }

  function release(arrival: Arrival): void {
    arriving.delete(arrival)
    count(arrival, -arrival.bytes)
  }

  function reject(arrival: Arrival): void {
    release(arrival)
    if (arrival.response.headersSent) return
    // What is still to come of it is not wanted.
    arrival.response.setHeader('Connection', 'close')
    // The reader of the body fails with this error.
    if (arrival.body.listenerCount('error') > 0) arrival.body.emit('error', Overloaded.after(0))
  }

  function makeRoom({ address }: Arrival): void {
    while ((ofAddress.get(address) ?? 0) > mostOfAddress) {
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
        // What is longer is rejected for that, read away, and held by nobody.
        if (arrival.bytes > maximumBody) release(arrival)
        else makeRoom(arrival)
      })
      body.once('end', () => arriving.delete(arrival))
      response.once('close', () => release(arrival))
    },
  }
}
