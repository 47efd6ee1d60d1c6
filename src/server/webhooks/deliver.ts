import { setTimeout as sleep } from 'node:timers/promises'
import type { Service } from '../service.ts'
import { attemptDelivery, type Ending, postponeDelivery } from './attempt.ts'
import { type DeliveryKey, listDueAt, listDueEndpoints, listDueFor } from './store.ts'

/**
 * Delivers what is due. Of an Item one webhook is on its way at a time, so that a receiver can keep
 * to their order, and no endpoint takes all places.
 */
export interface Deliveries {
  /** Begins what is due, as far as there is room; what ends makes room, and is told. */
  begin(): Promise<void>
  /**
   * Attempts all that is due for a client, each once, before it resolves. After a receiver that
   * kept silent the rest of that Item is left to `begin`.
   */
  finish(clientId: string): Promise<void>
  /** Waits a moment for what is in flight, then cuts it short: it stays due. */
  stop(graceMs?: number): Promise<void>
}

// A receiver that hangs holds its own places until the timeout, and leaves the others'.
const mostPerEndpoint = 4
const mostPerHost = 32
const most = 128
/** How many a client's own request has in flight, beside those. */
const mostForOneClient = 32
const usualGraceMs = 1000
/** How soon to see whether another process is through with an attempt. */
const lookAgainMs = 25

interface Flight {
  webhookId: string
  url: string
  host: string
  done: Promise<Ending | 'lost'>
}

/** Names what has one webhook in flight at a time: an Item, or a webhook that is about none. */
const subjectOf = ({ client_id, item_id, webhook_id }: DeliveryKey): string =>
  `${client_id} ${item_id ?? webhook_id}`

export function createDeliveries(service: Service, onEnd: () => void): Deliveries {
  const flights = new Map<string, Flight>()
  const stopping = new AbortController()

  function launch(key: DeliveryKey): Flight {
    const done = attemptSafely(service, key, stopping.signal).then((ending) => {
      flights.delete(subjectOf(key))
      // What could not even be noted is looked at with the next reason, not at once.
      if (ending === 'ended' || ending === 'late') onEnd()
      return ending
    })
    const flight = { webhookId: key.webhook_id, url: key.url, host: hostOf(key.url), done }
    flights.set(subjectOf(key), flight)
    return flight
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
    for (const key of due) if (roomFor(url) > 0 && !flights.has(subjectOf(key))) launch(key)
  }

  /** Makes an attempt, or waits for it, after those of its Item that are on their way. */
  async function finishOne(key: DeliveryKey): Promise<Ending | 'lost'> {
    for (;;) {
      const flight = flights.get(subjectOf(key)) ?? launch(key)
      const ending = await flight.done
      if (stopping.signal.aborted) return 'lost'
      if (flight.webhookId !== key.webhook_id) continue
      if (ending !== 'elsewhere') return ending
      await sleep(lookAgainMs)
    }
  }

  async function finishInTurn(keys: readonly DeliveryKey[]): Promise<void> {
    for (const key of keys) if ((await finishOne(key)) === 'late') return
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
      const subjects = Map.groupBy(due, subjectOf).values()
      const work = async () => {
        for (const keys of subjects) await finishInTurn(keys)
      }
      await Promise.all(Array.from({ length: mostForOneClient }, work))
    },
    async stop(graceMs = usualGraceMs) {
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
