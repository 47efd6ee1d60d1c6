import type { IncomingMessage, ServerResponse } from 'node:http'

/** The path of the events. No service of the interface has it. */
export const eventsPath = '/.contract/events'

/** Sends what was found to every reader, as server-sent events. */
export interface Events {
  send(event: object): void
  subscribe(request: IncomingMessage, response: ServerResponse): void
  close(): void
}

const mostReaders = 50
const mostStored = 100
/** A reader that leaves more unread than this is cut off. */
const mostUnread = 1_048_576
const heartbeatMs = 15_000

export function createEvents(): Events {
  const readers = new Set<ServerResponse>()
  const stored: { id: number; text: string }[] = []
  let last = 0
  const write = (reader: ServerResponse, text: string) => {
    reader.write(text)
    if (reader.writableLength > mostUnread) reader.destroy()
  }
  const heartbeat = setInterval(() => {
    for (const reader of readers) write(reader, ': still here\n\n')
  }, heartbeatMs).unref()
  return {
    send(event) {
      last += 1
      const text = `id: ${last}\nevent: finding\ndata: ${JSON.stringify(event)}\n\n`
      stored.push({ id: last, text })
      if (stored.length > mostStored) stored.shift()
      for (const reader of readers) write(reader, text)
    },
    subscribe(request, response) {
      if (readers.size >= mostReaders) {
        response.writeHead(503, { 'Retry-After': '10' }).end()
        return
      }
      const headers = { 'Content-Type': 'text/event-stream', 'Cache-Control': 'no-store' }
      response.writeHead(200, headers).flushHeaders()
      readers.add(response)
      response.once('close', () => readers.delete(response))
      const seen = Number(request.headers['last-event-id'] ?? Number.NaN)
      for (const { id, text } of stored) if (id > seen) write(response, text)
    },
    close() {
      clearInterval(heartbeat)
      for (const reader of readers) reader.end()
    },
  }
}
