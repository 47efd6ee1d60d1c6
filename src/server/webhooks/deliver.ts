import { setTimeout as sleep } from 'node:timers/promises'
import type { Service } from '../service.ts'
import { attemptDelivery, type Ending, postponeDelivery } from './attempt.ts'
import { type DeliveryKey, listDueAt, listDueEndpoints, listDueFor } from './store.ts'

/** Delivers what is due. No row is attempted twice at once, and no endpoint takes all places. */
export interface Deliveries {
  /** Begins what is due, as far as there is room; what ends makes room, and is told. */
  begin(): Promise<void>
  /** Attempts all that is due for a client, each once, before it resolves. */
  finish(clientId: string): Promise<void>
  /** Waits a moment for what is in flight, then cuts it short: it stays due. */
  stop(): Promise<void>
}

// A receiver that hangs holds its own places until the timeout, and leaves the others'.
const mostPerEndpoint = 4
const mostPerHost = 32
const most = 128
/** How many a client's own request has in flight, beside those. */
const mostForOneClient = 32
const graceMs = 1000
/** How soon to see whether another process is through with an attempt. */
const lookAgainMs = 25

interface Flight {
  url: string
  host: string
  done: Promise<Ending | 'lost'>
}

export function createDeliveries(service: Service, onEnd: () => void): Deliveries {
  const flights = new Map<string, Flight>()
  const stopping = new AbortController()

  /** Begins an attempt, or joins the one that is under way. */
  function attempt(key: DeliveryKey): Flight['done'] {
    const id = `${key.client_id} ${key.webhook_id}`
    const known = flights.get(id)
    if (known) return known.done
    const done = attemptSafely(service, key, stopping.signal).then((ending) => {
      flights.delete(id)
      // What could not even be noted is looked at with the next reason, not at once.
      if (ending === 'ended') onEnd()
      return ending
    })
    flights.set(id, { url: key.url, host: hostOf(key.url), done })
    return done
  }

  const count = (place: 'url' | 'host', name: string): number => {
    let found = 0
    for (const flight of flights.values()) if (flight[place] === name) found += 1
    return found
  }

  const roomFor = (url: string): number =>
    Math.min(
      most - flights.size,
      mostPerHost - count('host', hostOf(url)),
      mostPerEndpoint - count('url', url),
    )

  async function beginAt(url: string): Promise<void> {
    // Those in flight are still due, so as many more are read as there can be of them.
    const limit = mostPerEndpoint + count('url', url)
    const now = service.clock()
    const due = await service.database.read((db) => listDueAt(db, url, now, limit))
    for (const key of due) if (roomFor(url) > 0) void attempt(key)
  }

  return {
    async begin() {
      const now = service.clock()
      const endpoints = await service.database.read((db) => listDueEndpoints(db, now))
      for (const { url } of endpoints) if (roomFor(url) > 0) await beginAt(url)
    },
    async finish(clientId) {
      const now = service.clock()
      const due = await service.database.read((db) => listDueFor(db, clientId, now))
      const rest = due.values()
      const work = async () => {
        for (const key of rest) {
          while (!stopping.signal.aborted && (await attempt(key)) === 'elsewhere')
            await sleep(lookAgainMs)
        }
      }
      await Promise.all(Array.from({ length: mostForOneClient }, work))
    },
    async stop() {
      const ended = () => Promise.all([...flights.values()].map(({ done }) => done))
      const timer = setTimeout(() => stopping.abort(), graceMs)
      await ended()
      clearTimeout(timer)
      stopping.abort()
    },
  }
}

const hostOf = (url: string): string => (URL.canParse(url) ? new URL(url).host : url)

/** Never rejects; `lost`: the attempt left no trace, and so is due as before. */
async function attemptSafely(
  service: Service,
  key: DeliveryKey,
  signal: AbortSignal,
): Promise<Ending | 'lost'> {
  try {
    return await attemptDelivery(service, key, signal)
  } catch (error) {
    service.log.error(error, 'a webhook could not be attempted')
  }
  try {
    await postponeDelivery(service, key)
    return 'ended'
  } catch (error) {
    service.log.error(error, 'a webhook could not be postponed')
    return 'lost'
  }
}
