import { setTimeout as sleep } from 'node:timers/promises'
import type { Database } from '../../kernel/database.ts'
import type { Service } from '../../kernel/service.ts'
import {
  firstPosition,
  listDueAt,
  listDueEndpoints,
  listDueFor,
} from '../../queue/due-webhook-store.ts'
import type { DeliveryKey } from '../../queue/webhook-store.ts'
import {
  attemptDelivery,
  type Ending,
  type Progress,
  postponeDelivery,
} from './attempt-delivery.ts'
import {
  createInFlightDeliveries,
  type InFlightDelivery,
  subjectOf,
} from './in-flight-deliveries.ts'
import { withTransactionLimit } from './limit-database-work.ts'
import { ahead, createReadAhead } from './read-ahead.ts'

/**
 * Delivers webhooks that are due. One webhook of an Item is in flight at a time, so receivers get
 * them in order. Limits keep an endpoint from delaying the others.
 */
export interface Deliveries {
  /** Starts due deliveries within the limits. */
  begin(): Promise<void>
  /** Starts due deliveries at endpoints with new webhooks, without polling all endpoints. */
  beginAt(urls: Iterable<string>): void
  /**
   * Attempts each due delivery of a client once before it resolves. After a timeout the other
   * webhooks of that Item are left to `begin`.
   */
  finish(clientId: string): Promise<void>
  /** Waits a moment for deliveries in flight, then aborts them. They stay due. */
  stop(graceMs?: number): Promise<void>
}

/** Called when an attempt has ended, and when a limit may allow another attempt. */
interface Hooks {
  onEnd(clientId: string): void
  onRoom(): void
}

/** How many deliveries a client's own request has in flight, in addition to those limits. */
const mostForOneClient = 32
const usualGraceMs = 1000
const pollsAtOnce = 2
/**
 * How many transactions run at once where each takes a connection, since requests need connections
 * too. Slow endpoints have a lower limit of their own, since many of them time out together.
 */
const transactionsAtOnce = { fresh: 4, slow: 2 }
/** How soon to check whether another process has ended its attempt. */
const checkAgainMs = 25

export function createDeliveries(service: Service, { onEnd, onRoom }: Hooks): Deliveries {
  const stopping = new AbortController()
  const { signal } = stopping
  const fresh = withTransactionLimit(service.database, transactionsAtOnce.fresh)
  const slow = withTransactionLimit(service.database, transactionsAtOnce.slow)
  const polls = new Map<string, Promise<unknown>>()
  const newAt = new Set<string>()
  const readAhead = createReadAhead()
  let begins = true

  const inFlight = createInFlightDeliveries((url) => {
    // Polls this endpoint immediately, since a poll of all endpoints may take long.
    if (url !== undefined) poll(url)
    onRoom()
  })

  const databaseFor = (url: string): Database => (inFlight.isSlow(url) ? slow : fresh)

  function startAttempt(key: DeliveryKey): InFlightDelivery {
    const database: Database = {
      ...service.database,
      // The endpoint may become slow between the two transactions of an attempt.
      transaction: (work, options) => databaseFor(key.url).transaction(work, options),
    }
    const delivery = inFlight.add(key, (progress) =>
      attemptSafely({ ...service, database }, key, signal, progress),
    )
    delivery.done.then((ending) => {
      if (ending !== 'elsewhere') onEnd(key.client_id)
    })
    return delivery
  }

  /** Starts due deliveries of an endpoint within the limits, and returns those that it started. */
  async function beginAt(
    url: string,
    most = inFlight.mostPerEndpoint,
  ): Promise<InFlightDelivery[]> {
    const hasRoom = () => begins && inFlight.count(url) < most && inFlight.hasRoom(url)
    const begun: InFlightDelivery[] = []
    /** Starts the first of them, and returns the others. */
    function startSome(keys: readonly DeliveryKey[]): DeliveryKey[] {
      const left: DeliveryKey[] = []
      for (const key of keys) {
        if (inFlight.of(key)) continue
        if (hasRoom()) begun.push(startAttempt(key))
        else left.push(key)
      }
      return left
    }
    readAhead.keep(url, startSome(readAhead.take(url)))
    if (readAhead.has(url) || !hasRoom()) return begun
    // With several processes a longer list would soon be outdated.
    const more = service.database.shared ? inFlight.mostPerEndpoint : ahead.ofEndpoint
    const now = service.clock()
    // Deliveries in flight are still due in the database, so the query returns them too.
    const limit = more + inFlight.count(url)
    const due = await databaseFor(url).read((db) => listDueAt(db, url, now, limit))
    const left = startSome(due)
    if (!service.database.shared) readAhead.keep(url, left)
    return begun
  }

  /** Polls one endpoint, and again if it got a new webhook during the poll. */
  function poll(url: string): void {
    if (polls.has(url)) return void newAt.add(url)
    const running: Promise<unknown> = beginAt(url)
      .catch((error) => service.log.error(error, 'what is due could not be read'))
      .finally(() => {
        polls.delete(url)
        if (newAt.delete(url)) poll(url)
      })
    polls.set(url, running)
  }

  /** Polls a few endpoints at a time, so that polls for new webhooks can run in between. */
  async function beginAtAll(urls: readonly string[], most?: number): Promise<void> {
    const left = urls.values()
    const work = async () => {
      for (const url of left) {
        const begun = await beginAt(url, most)
        await Promise.all(begun.map(({ sent }) => sent))
      }
    }
    await Promise.all(Array.from({ length: pollsAtOnce }, work))
  }

  /** Makes an attempt, or waits for it, after those of its Item that are in flight. */
  async function finishOne(key: DeliveryKey): Promise<Ending> {
    for (;;) {
      const delivery = inFlight.of(key) ?? startAttempt(key)
      const ending = await delivery.done
      if (signal.aborted) return 'lost'
      if (delivery.webhookId !== key.webhook_id) continue
      if (ending !== 'elsewhere') return ending
      await sleep(checkAgainMs)
    }
  }

  /** Attempts webhooks of one Item until an attempt times out. */
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
      // Endpoints without due deliveries are not polled again, so their entries are removed here.
      readAhead.keepOnly(endpoints)
      // Each endpoint gets one attempt before any gets a second one.
      await beginAtAll(endpoints, 1)
      await beginAtAll(endpoints.filter((url) => inFlight.count(url) > 0))
    },
    beginAt(urls) {
      for (const url of urls) poll(url)
    },
    async finish(clientId) {
      const now = service.clock()
      const silent = new Set<string>()
      // In pages, since there may be more than fit into memory.
      for (let position = firstPosition; !signal.aborted; ) {
        const due = await service.database.read((db) => listDueFor(db, clientId, now, position))
        const last = due.at(-1)
        if (!last) return
        await finishAll(due, silent)
        position = last
      }
    },
    async stop(graceMs = usualGraceMs) {
      begins = false
      newAt.clear()
      await Promise.all(polls.values())
      const ended = Promise.all(inFlight.all().map(({ done }) => done))
      const timer = setTimeout(() => stopping.abort(), graceMs)
      await ended
      clearTimeout(timer)
      stopping.abort()
    },
  }
}

/** Never rejects. `lost`: no result of the attempt was stored, so the delivery is still due. */
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
