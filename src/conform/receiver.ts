import { createServer } from 'node:http'
import type { Arrived, Receiver } from './case.ts'

/** A receiver of webhooks that listens. */
export interface OpenReceiver extends Receiver {
  close(): Promise<void>
}

interface Waiting {
  fits(arrived: Arrived): boolean
  take(arrived: Arrived): void
}

const patience = 10_000
const mostBytes = 1_048_576
/** Older ones are dropped: a case reads its webhook at once. */
const mostStored = 100

/** Listens where the URL says. The service sends its webhooks there. */
export async function openReceiver(url: URL): Promise<OpenReceiver> {
  const stored: Arrived[] = []
  const waiting = new Set<Waiting>()
  const server = createServer(async (request, response) => {
    try {
      const chunks: Buffer[] = []
      let size = 0
      for await (const chunk of request) {
        size += chunk.length
        if (size > mostBytes) throw new Error('the body is too large')
        chunks.push(chunk)
      }
      response.writeHead(200).end()
      arrive({ body: Buffer.concat(chunks), headers: request.headers })
    } catch {
      response.destroy()
    }
  })
  const arrive = (arrived: Arrived) => {
    const [first] = [...waiting].filter(({ fits }) => fits(arrived))
    if (first) first.take(arrived)
    else stored.push(arrived)
    if (stored.length > mostStored) stored.shift()
  }
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject)
    server.listen(Number(url.port || 80), url.hostname.replace(/^\[|\]$/g, ''), resolve)
  })
  return {
    url: url.href,
    clear: () => void stored.splice(0),
    next(fits) {
      const isFit = (arrived: Arrived) => isJson(arrived) && fits(arrived)
      const index = stored.findIndex(isFit)
      if (index >= 0) return Promise.resolve(stored.splice(index, 1)[0])
      return new Promise((resolve) => {
        const end = (arrived?: Arrived) => {
          clearTimeout(timer)
          waiting.delete(one)
          resolve(arrived)
        }
        const one: Waiting = { fits: isFit, take: end }
        const timer = setTimeout(end, patience)
        waiting.add(one)
      })
    },
    async close() {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}

function isJson({ body }: Arrived): boolean {
  try {
    return typeof JSON.parse(new TextDecoder().decode(body)) === 'object'
  } catch {
    return false
  }
}
