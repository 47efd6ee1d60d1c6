import type { DeliveryKey } from '../../queue/webhook-store.ts'
import type { Ending, Progress } from './attempt.ts'

/** Attempts that are on their way, and where there is room for more. */
export interface Flights {
  /** The attempt that an Item's webhook has to wait for, or a webhook itself that has no Item. */
  of(key: DeliveryKey): Flight | undefined
  hasRoom(url: string): boolean
  /** Whether an endpoint keeps a place for longer than the others. */
  isSlow(url: string): boolean
  /** Begins an attempt. */
  add(key: DeliveryKey, attempt: (progress: Progress) => Promise<Ending>): Flight
  all(): Flight[]
  /** How many of an endpoint, and how many at most. */
  count(url: string): number
  mostPerEndpoint: number
}

export interface Flight {
  webhookId: string
  /** Resolves once its webhook is on its way, or never will be. */
  sent: Promise<void>
  done: Promise<Ending>
}

/** Names what has one webhook in flight at a time: an Item, or a webhook that is about none. */
export const subjectOf = ({ client_id, item_id, webhook_id }: DeliveryKey): string =>
  `${client_id} ${item_id ?? webhook_id}`

// A receiver that hangs holds its own places until the timeout, and leaves the others'. The places of
// attempts that have just begun are free again after a second at the latest: then they are slow ones,
// and their endpoints get no more places but those of slow ones, until they have answered.
const mostPerEndpoint = 8
const mostPerSlowEndpoint = 1
const mostPerHost = 32
const most = { fresh: 256, slow: 512 }
const quickMs = 1000
/** How many slow endpoints are known; of more, the one not heard of for longest is forgotten. */
const mostKnown = 10_000

/** Keeps count; `onRoom` is told of an endpoint, or of all, that there may be room again. */
export function createFlights(onRoom: (url?: string) => void): Flights {
  const flights = new Map<string, Flight>()
  const inFlight = { fresh: 0, slow: 0 }
  const perUrl = createCountsByName()
  const perHost = createCountsByName()
  const slow = new Set<string>()

  function remember(url: string, isSlow: boolean): void {
    slow.delete(url)
    if (isSlow) slow.add(url)
    const [oldest] = slow
    if (slow.size > mostKnown && oldest !== undefined) slow.delete(oldest)
  }

  const kindOf = (url: string): keyof typeof most => (slow.has(url) ? 'slow' : 'fresh')

  /** Counts a flight in, until it lands. Only the time that the receiver takes makes it a slow one. */
  function board(url: string): Progress & { land(ending: Ending): void } {
    let kind = kindOf(url)
    let isLate = false
    let timer: NodeJS.Timeout | undefined
    inFlight[kind] += 1
    perUrl.add(url, 1)
    perHost.add(hostOf(url), 1)

    function slowDown(): void {
      isLate = true
      remember(url, true)
      if (kind === 'slow') return
      inFlight.fresh -= 1
      inFlight.slow += 1
      kind = 'slow'
      onRoom()
    }

    return {
      sent() {
        timer = setTimeout(slowDown, quickMs).unref()
      },
      answered: () => clearTimeout(timer),
      land(ending) {
        clearTimeout(timer)
        inFlight[kind] -= 1
        perUrl.add(url, -1)
        perHost.add(hostOf(url), -1)
        if (timer && ending === 'ended') remember(url, isLate)
      },
    }
  }

  return {
    mostPerEndpoint,
    of: (key) => flights.get(subjectOf(key)),
    all: () => [...flights.values()],
    count: perUrl.count,
    isSlow: (url) => slow.has(url),
    hasRoom(url) {
      const kind = kindOf(url)
      const mostHere = kind === 'slow' ? mostPerSlowEndpoint : mostPerEndpoint
      return (
        inFlight[kind] < most[kind] &&
        perUrl.count(url) < mostHere &&
        perHost.count(hostOf(url)) < mostPerHost
      )
    },
    add(key, attempt) {
      const subject = subjectOf(key)
      const { sent, answered, land } = board(key.url)
      const sending = Promise.withResolvers<void>()
      const onSent = () => {
        sent()
        sending.resolve()
      }
      const done = attempt({ sent: onSent, answered }).then((ending) => {
        sending.resolve()
        flights.delete(subject)
        land(ending)
        // What could not even be noted is looked at with the next reason, not at once.
        if (ending === 'ended' || ending === 'late') onRoom(key.url)
        return ending
      })
      const flight = { webhookId: key.webhook_id, sent: sending.promise, done }
      flights.set(subject, flight)
      return flight
    },
  }
}

const hostOf = (url: string): string => (URL.canParse(url) ? new URL(url).host : url)

function createCountsByName() {
  const counts = new Map<string, number>()
  const count = (name: string): number => counts.get(name) ?? 0
  return {
    count,
    add(name: string, change: number): void {
      const next = count(name) + change
      if (next === 0) counts.delete(name)
      else counts.set(name, next)
    },
  }
}
