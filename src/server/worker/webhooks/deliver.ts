import { setTimeout as sleep } from 'node:timers/promises'
import type { Database } from '../../kernel/database.ts'
import type { Service } from '../../kernel/service.ts'
import {
  firstPlace,
  listDueAt,
  listDueEndpoints,
  listDueFor,
} from '../../queue/due-webhook-store.ts'
import type { DeliveryKey } from '../../queue/webhook-store.ts'
import { attemptDelivery, type Ending, type Progress, postponeDelivery } from './attempt.ts'
import { withFewAtOnce } from './few-at-once.ts'
import { createFlights, type Flight, subjectOf } from './flights.ts'

/**
 * Delivers what is due. Of an Item one webhook is on its way at a time, so that a receiver can keep
 * to their order, and no endpoint takes all places.
 */
export interface Deliveries {
  /** Begins what is due, as far as there is room; what ends makes room. */
  begin(): Promise<void>
  /** Begins what is due at endpoints that have something new, and need not wait for a look at all. */
  beginAt(urls: Iterable<string>): void
  /**
   * Attempts all that is due for a client, each once, before it resolves. After a receiver that
   * kept silent the rest of that Item is left to `begin`.
   */
  finish(clientId: string): Promise<void>
  /** Waits a moment for what is in flight, then cuts it short: it stays due. */
  stop(graceMs?: number): Promise<void>
}

/** What is done when an attempt has ended, and when there may be room for others. */
interface Hooks {
  onEnd(clientId: string): void
  onRoom(): void
}

/** How many a client's own request has in flight, beside those. */
const mostForOneClient = 32
const usualGraceMs = 1000
const looksAtOnce = 2
/**
 * How many transactions there are at once where each takes a connection: requests need them, too. Of
 * endpoints that are slow fewer, and apart, since many of them end at the same time.
 */
const transactionsAtOnce = { fresh: 4, slow: 2 }
/**
 * How many of an endpoint's are read at once, and how many are kept in all: to find a few among many
 * that wait costs as much as to find these. Beside other processes they would soon be out of date.
 */
const ahead = { ofEndpoint: 64, most: 20_000 }
/** How soon to see whether another process is through with an attempt. */
const lookAgainMs = 25

export function createDeliveries(service: Service, { onEnd, onRoom }: Hooks): Deliveries {
  const stopping = new AbortController()
  const { signal } = stopping
  const fresh = withFewAtOnce(service.database, transactionsAtOnce.fresh)
  const slow = withFewAtOnce(service.database, transactionsAtOnce.slow)
  const looks = new Map<string, Promise<unknown>>()
  const newAt = new Set<string>()
  /** What was due at an endpoint when it was looked at, and has not begun. */
  const readAhead = new Map<string, DeliveryKey[]>()
  let keptAhead = 0
  let begins = true

  const flights = createFlights((url) => {
    // An endpoint goes on by itself, however long a look at all of them takes.
    if (url !== undefined) lookAt(url)
    onRoom()
  })

  const databaseFor = (url: string): Database => (flights.isSlow(url) ? slow : fresh)

  function launch(key: DeliveryKey): Flight {
    const database: Database = {
      ...service.database,
      // An endpoint may turn out to be slow meanwhile.
      transaction: (work, options) => databaseFor(key.url).transaction(work, options),
    }
    const flight = flights.add(key, (progress) =>
      attemptSafely({ ...service, database }, key, signal, progress),
    )
    flight.done.then((ending) => {
      if (ending !== 'elsewhere') onEnd(key.client_id)
    })
    return flight
  }

  /** Begins what there is room for; what was begun. */
  async function beginAt(url: string, most = flights.mostPerEndpoint): Promise<Flight[]> {
    const hasRoom = () => begins && flights.count(url) < most && flights.hasRoom(url)
    const begun: Flight[] = []
    /** Begins the first of them, and returns the others. */
    function launchSome(keys: readonly DeliveryKey[]): DeliveryKey[] {
      const left: DeliveryKey[] = []
      for (const key of keys) {
        if (flights.of(key)) continue
        if (hasRoom()) begun.push(launch(key))
        else left.push(key)
      }
      return left
    }
    keepAhead(url, launchSome(takeAhead(url)))
    if (readAhead.has(url) || !hasRoom()) return begun
    const more = service.database.shared ? flights.mostPerEndpoint : ahead.ofEndpoint
    const now = service.clock()
    // Those in flight are still due, and are read as well.
    const limit = more + flights.count(url)
    const due = await databaseFor(url).read((db) => listDueAt(db, url, now, limit))
    const left = launchSome(due)
    if (!service.database.shared) keepAhead(url, left)
    return begun
  }

  function takeAhead(url: string): DeliveryKey[] {
    const keys = readAhead.get(url) ?? []
    readAhead.delete(url)
    keptAhead -= keys.length
    return keys
  }

  function keepAhead(url: string, keys: DeliveryKey[]): void {
    // Another look may have kept some meanwhile.
    takeAhead(url)
    if (keys.length === 0 || keptAhead + keys.length > ahead.most) return
    keptAhead += keys.length
    readAhead.set(url, keys)
  }

  /** Looks at one endpoint; once more, if it has something new since that began. */
  function lookAt(url: string): void {
    if (looks.has(url)) return void newAt.add(url)
    const look: Promise<unknown> = beginAt(url)
      .catch((error) => service.log.error(error, 'what is due could not be read'))
      .finally(() => {
        looks.delete(url)
        if (newAt.delete(url)) lookAt(url)
      })
    looks.set(url, look)
  }

  /** Looks at some endpoints at a time: what is new meanwhile gets in between them. */
  async function beginAtAll(urls: readonly string[], most?: number): Promise<void> {
    const left = urls.values()
    const work = async () => {
      for (const url of left) {
        const begun = await beginAt(url, most)
        await Promise.all(begun.map(({ sent }) => sent))
      }
    }
    await Promise.all(Array.from({ length: looksAtOnce }, work))
  }

  /** Makes an attempt, or waits for it, after those of its Item that are on their way. */
  async function finishOne(key: DeliveryKey): Promise<Ending> {
    for (;;) {
      const flight = flights.of(key) ?? launch(key)
      const ending = await flight.done
      if (signal.aborted) return 'lost'
      if (flight.webhookId !== key.webhook_id) continue
      if (ending !== 'elsewhere') return ending
      await sleep(lookAgainMs)
    }
  }

  /** Attempts webhooks of one Item, until its receiver keeps silent. */
  async function finishInTurn(keys: readonly DeliveryKey[], silent: Set<string>): Promise<void> {
    for (const key of keys) {
      if (signal.aborted || silent.has(subjectOf(key))) return
      if ((await finishOne(key)) === 'late') silent.add(subjectOf(key))
    }
  }

  async function finishAll(due: readonly DeliveryKey[], silent: Set<string>): Promise<void> {
    const subjects = Map.groupBy(due, subjectOf).values()
    const work = async () => {
      for (const keys of subjects) await finishInTurn(keys, silent)
    }
    await Promise.all(Array.from({ length: mostForOneClient }, work))
  }

  return {
    async begin() {
      const now = service.clock()
      const endpoints = await service.database.read((db) => listDueEndpoints(db, now))
      // Nobody will look again at those that have nothing due any more.
      const due = new Set(endpoints)
      for (const url of readAhead.keys()) if (!due.has(url)) takeAhead(url)
      // Nobody gets a second place before all have had a first.
      await beginAtAll(endpoints, 1)
      await beginAtAll(endpoints.filter((url) => flights.count(url) > 0))
    },
    beginAt(urls) {
      for (const url of urls) lookAt(url)
    },
    async finish(clientId) {
      const now = service.clock()
      const silent = new Set<string>()
      // In parts, since there may be more than fit into memory.
      for (let place = firstPlace; !signal.aborted; ) {
        const due = await service.database.read((db) => listDueFor(db, clientId, now, place))
        const last = due.at(-1)
        if (!last) return
        await finishAll(due, silent)
        place = last
      }
    },
    async stop(graceMs = usualGraceMs) {
      begins = false
      newAt.clear()
      await Promise.all(looks.values())
      const ended = Promise.all(flights.all().map(({ done }) => done))
      const timer = setTimeout(() => stopping.abort(), graceMs)
      await ended
      clearTimeout(timer)
      stopping.abort()
    },
  }
}

/** Never rejects; `lost`: the attempt left no trace, and so is due as before. */
async function attemptSafely(
  service: Service,
  key: DeliveryKey,
  signal: AbortSignal,
  progress: Progress,
): Promise<Ending> {
  try {
    return await attemptDelivery(service, key, signal, progress)
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
