import { createCounts } from '../../kernel/counts.ts'
import type { DeliveryKey } from '../../queue/webhook-store.ts'
import type { Ending, Progress } from './attempt-delivery.ts'

/** The delivery attempts in flight, and the limits on more of them. */
interface InFlightDeliveries {
  /** The attempt that blocks a webhook: that of the same Item, or else of the webhook itself. */
  of(key: DeliveryKey): InFlightDelivery | undefined
  hasRoom(url: string): boolean
  /** Whether the last attempts at an endpoint took long. */
  isSlow(url: string): boolean
  /** Begins an attempt. */
  add(key: DeliveryKey, attempt: (progress: Progress) => Promise<Ending>): InFlightDelivery
  all(): InFlightDelivery[]
  /** How many of an endpoint, and how many at most. */
  count(url: string): number
  mostPerEndpoint: number
}

export interface InFlightDelivery {
  webhookId: string
  /** Resolves once the request is sent, or will not be sent. */
  sent: Promise<void>
  done: Promise<Ending>
}

/** The key under which one delivery is in flight at a time: an Item, or a webhook without an Item. */
export const subjectOf = ({ client_id, item_id, webhook_id }: DeliveryKey): string =>
  `${client_id} ${item_id ?? webhook_id}`

// The limits keep a receiver that hangs from delaying the others. An attempt counts as fresh for a
// second at most. After that it counts as slow, and its endpoint gets only one slow attempt at a time
// until it answers quickly again.
const mostPerEndpoint = 8
const mostPerSlowEndpoint = 1
const mostPerHost = 32
const most = { fresh: 256, slow: 512 }
const quickMs = 1000
/** How many slow endpoints are remembered. The least recently used one is removed first. */
const mostKnown = 10_000

/** Calls `onRoom` when an endpoint, or any endpoint, may take another attempt. */
export function createInFlightDeliveries(onRoom: (url?: string) => void): InFlightDeliveries {
  const inFlight = new Map<string, InFlightDelivery>()
  const counts = { fresh: 0, slow: 0 }
  const perUrl = createCounts()
  const perHost = createCounts()
  const slow = new Set<string>()

  function remember(url: string, isSlow: boolean): void {
    slow.delete(url)
    if (isSlow) slow.add(url)
    const [oldest] = slow
    if (slow.size > mostKnown && oldest !== undefined) slow.delete(oldest)
  }

  const kindOf = (url: string): keyof typeof most => (slow.has(url) ? 'slow' : 'fresh')

  /** Acquires a slot. Only the time of the receiver makes an attempt slow, not that of the database. */
  function acquire(url: string): Progress & { release(ending: Ending): void } {
    let kind = kindOf(url)
    let isLate = false
    let timer: NodeJS.Timeout | undefined
    counts[kind] += 1
    perUrl.add(url, 1)
    perHost.add(hostOf(url), 1)

    function slowDown(): void {
      isLate = true
      remember(url, true)
      if (kind === 'slow') return
      counts.fresh -= 1
      counts.slow += 1
      kind = 'slow'
      onRoom()
    }

    return {
      sent() {
        timer = setTimeout(slowDown, quickMs).unref()
      },
      answered: () => clearTimeout(timer),
      release(ending) {
        clearTimeout(timer)
        counts[kind] -= 1
        perUrl.add(url, -1)
        perHost.add(hostOf(url), -1)
        if (timer && ending === 'ended') remember(url, isLate)
      },
    }
  }

  return {
    mostPerEndpoint,
    of: (key) => inFlight.get(subjectOf(key)),
    all: () => [...inFlight.values()],
    count: perUrl.of,
    isSlow: (url) => slow.has(url),
    hasRoom(url) {
      const kind = kindOf(url)
      const mostHere = kind === 'slow' ? mostPerSlowEndpoint : mostPerEndpoint
      return (
        counts[kind] < most[kind] &&
        perUrl.of(url) < mostHere &&
        perHost.of(hostOf(url)) < mostPerHost
      )
    },
    add(key, attempt) {
      const subject = subjectOf(key)
      const { sent, answered, release } = acquire(key.url)
      const sending = Promise.withResolvers<void>()
      const onSent = () => {
        sent()
        sending.resolve()
      }
      const done = attempt({ sent: onSent, answered }).then((ending) => {
        sending.resolve()
        inFlight.delete(subject)
        release(ending)
        // After a failure to record the outcome an immediate retry would fail again.
        if (ending === 'ended' || ending === 'late') onRoom(key.url)
        return ending
      })
      const delivery = { webhookId: key.webhook_id, sent: sending.promise, done }
      inFlight.set(subject, delivery)
      return delivery
    },
  }
}

const hostOf = (url: string): string => (URL.canParse(url) ? new URL(url).host : url)
