// Not those of the global object, which test runners replace.
import { clearTimeout, setTimeout } from 'node:timers'
import type { WebhookEvent } from '../webhooks/event.ts'
import type { Delivery, EventName, NextOptions } from './inbox.ts'

type Wanted = EventName | ((event: WebhookEvent) => boolean) | undefined

interface Waiting {
  is(event: WebhookEvent): boolean
  resolve(event: WebhookEvent): void
  reject(error: unknown): void
  timer: NodeJS.Timeout
}

/** What arrived at an inbox, and who waits for it. */
export interface Arrivals {
  all(): readonly Delivery[]
  add(delivery: Delivery): void
  next(wanted?: Wanted, options?: NextOptions): Promise<WebhookEvent>
  clear(): void
  /** Rejects all who wait, and who would from now on. */
  end(): void
}

const usualTimeout = 5000
/** Timers take longer waits for none. */
const mostTimeout = 2 ** 31 - 1
const closed = 'the inbox was closed'

export function createArrivals(): Arrivals {
  let deliveries: Delivery[] = []
  const taken = new Set<WebhookEvent>()
  const waiting = new Set<Waiting>()
  let isOver = false

  function take(is: Waiting['is']): WebhookEvent | undefined {
    const event = deliveries
      .flatMap((delivery) => delivery.event ?? [])
      .find((one) => !taken.has(one) && is(one))
    if (event) taken.add(event)
    return event
  }

  /** Gives the newest event to the oldest call that waits for one like it. */
  function hand(): void {
    for (const one of waiting) {
      try {
        const event = take(one.is)
        if (event) leave(one).resolve(event)
      } catch (error) {
        leave(one).reject(error)
      }
    }
  }

  function leave(one: Waiting): Waiting {
    clearTimeout(one.timer)
    waiting.delete(one)
    return one
  }

  return {
    all: () => deliveries,
    add(delivery) {
      deliveries = [...deliveries, delivery]
      hand()
    },
    async next(wanted, { timeout = usualTimeout } = {}) {
      const is = toTest(wanted)
      const there = take(is)
      if (there) return there
      if (isOver) throw new Error(closed)
      return new Promise((resolve, reject) => {
        const timer = setTimeout(
          () => {
            const arrived = deliveries.map((delivery) => describe(delivery, taken))
            leave(one).reject(new Error(`${lack(wanted, timeout)}; ${what(arrived)}`))
          },
          Math.min(timeout, mostTimeout),
        )
        const one = { is, resolve, reject, timer }
        waiting.add(one)
      })
    },
    clear() {
      deliveries = []
      taken.clear()
    },
    end() {
      isOver = true
      for (const one of waiting) leave(one).reject(new Error(closed))
    },
  }
}

function toTest(wanted: Wanted): Waiting['is'] {
  if (typeof wanted === 'function') return wanted
  return (event) => wanted === undefined || [event.webhook_code, nameOf(event)].includes(wanted)
}

const nameOf = ({ webhook_type, webhook_code }: WebhookEvent): string =>
  `${webhook_type}.${webhook_code}`

const lack = (wanted: Wanted, timeout: number): string =>
  `no ${typeof wanted === 'string' ? wanted : 'such'} webhook arrived within ${timeout} ms`

const mostShown = 12

function what(arrived: readonly string[]): string {
  if (arrived.length === 0) return 'nothing did'
  const earlier = arrived.length - mostShown
  const shown = arrived.slice(-mostShown).join(', ')
  return `these did: ${earlier > 0 ? `${earlier} more, then ` : ''}${shown}`
}

function describe({ event, refusal }: Delivery, taken: ReadonlySet<WebhookEvent>): string {
  if (!event) return `one to be refused (${refusal?.reason})`
  return taken.has(event) ? `${nameOf(event)} (taken)` : nameOf(event)
}
