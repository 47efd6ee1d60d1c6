import { Overloaded } from './overloaded.ts'

/** Lets requests in, a number at a time; the others wait, as long as it is not for too long. */
export interface Places {
  /** How long whoever came now would wait, in ms, if that is too long; undefined where it is not. */
  excess(): number | undefined
  /** Runs `work` once there is a place; throws Overloaded where there is none for too long. */
  pass<Result>(work: (outside: Outside) => Promise<Result>): Promise<Result>
  inside(): number
  waiting(): number
}

/** Gives the place back for as long as somebody waits for what costs nothing. */
export type Outside = (wait: () => Promise<unknown>) => Promise<void>

/**
 * How many are inside at once. They wait for each other in there, the writes of a client for its
 * commits and all for connections to PostgreSQL, so more would only make all of them wait longer.
 */
export const most = 96
const mostWaiting = 20_000
/** How many have given their places back: they come in again without standing in the line once more. */
const mostOutside = 500
/**
 * How many begin in one turn of the event loop: it takes as long as all of them, and meanwhile nobody
 * is let in, refused, or told that the service lives.
 */
const inATurn = { most: 32, ms: 20 }
/**
 * Many requests at once are no overload: they wait. But where somebody has waited all the time, more
 * come than can be answered; then a short line is as good for those who are served.
 */
const patienceMs = { burst: 3000, standing: 1000 }
const burstMs = 3000
/** A line that is no longer than this is left alone at first, however slow the machine is. */
const shortLine = { length: 1000, ageMs: 3000 }
/** Nobody stands in the line for longer, even if those inside all wait for something that is away. */
const longestWaitMs = 10_000

export function createPlaces(now: () => number = () => performance.now()): Places {
  const line = createLine(now)
  let count = 0
  let outsideCount = 0
  let begun = 0
  let began = 0
  let mayBegin = inATurn.most
  let turning = false

  const hasPlace = (): boolean => count < most && begun < mayBegin

  function turn(): void {
    turning = false
    begun = 0
    began = now()
    line.refuseLate()
    while (hasPlace() && line.length() > 0) {
      enter()
      line.letIn()
    }
  }

  /** Runs when those that the turn let in have done all that waits for nothing. */
  function measure(): void {
    if (begun === 0) return
    const fits = Math.floor((inATurn.ms * begun) / (now() - began))
    mayBegin = Math.max(1, Math.min(fits, mayBegin * 2, inATurn.most))
  }

  /** One turn of the event loop later there are new places; without a free one nothing would change. */
  function planTurn(): void {
    if (turning || count >= most) return
    turning = true
    setImmediate(turn)
    setImmediate(measure)
  }

  function enter(): void {
    count += 1
    begun += 1
    planTurn()
  }

  async function comeIn(): Promise<void> {
    if (line.length() === 0 && hasPlace()) return enter()
    planTurn()
    await line.wait()
  }

  function goOut(): void {
    count -= 1
    if (line.length() > 0) planTurn()
  }

  async function waitOutside(wait: () => Promise<unknown>): Promise<void> {
    if (outsideCount >= mostOutside) return void (await wait())
    outsideCount += 1
    goOut()
    try {
      await wait()
    } finally {
      outsideCount -= 1
      enter()
    }
  }

  return {
    inside: () => count,
    waiting: line.length,
    excess() {
      const age = line.ageMs()
      if (line.length() < shortLine.length && age < shortLine.ageMs) return undefined
      const expected = line.expectedMs()
      const patience = age > burstMs ? patienceMs.standing : patienceMs.burst
      return expected > patience || line.length() >= mostWaiting ? expected : undefined
    },
    async pass(work) {
      await comeIn()
      try {
        return await work(waitOutside)
      } finally {
        goOut()
      }
    },
  }
}

/** Over how long it is measured how fast the line moves. */
const windowMs = 500

interface Waiter {
  since: number
  enter(): void
  refuse(error: Overloaded): void
}

/** Who waits, first come first served, and how long that takes. */
function createLine(now: () => number) {
  const entries: Waiter[] = []
  let isWatched = false
  let first = 0
  let began = 0
  let moved = 0
  let window = { since: 0, left: 0 }
  let msEach = 0

  const length = (): number => entries.length - first

  function measure(): void {
    moved = now()
    window.left += 1
    const ms = moved - window.since
    if (ms < windowMs) return
    msEach = ms / window.left
    window = { since: moved, left: 0 }
  }

  function takeFirst(): Waiter | undefined {
    const next = entries[first]
    if (!next) return undefined
    first += 1
    // Taking them off one by one would move all that are behind.
    if (first > 1000 && first > entries.length / 2) {
      entries.splice(0, first)
      first = 0
    }
    return next
  }

  /** How long whoever comes now would wait, as the line has moved; longer where it stands still. */
  const expectedMs = () => (length() === 0 ? 0 : length() * msEach + now() - moved)

  function refuseLate(): void {
    const expected = expectedMs()
    const isLate = (waiter: Waiter | undefined) => waiter && now() - waiter.since >= longestWaitMs
    while (isLate(entries[first])) takeFirst()?.refuse(Overloaded.after(expected))
  }

  /** Looks again when it may be too late for the first of the line. */
  function watch(): void {
    refuseLate()
    const waiter = entries[first]
    isWatched = waiter !== undefined
    if (waiter) setTimeout(watch, waiter.since + longestWaitMs - now()).unref()
  }

  return {
    length,
    expectedMs,
    refuseLate,
    ageMs: () => (length() === 0 ? 0 : now() - began),
    wait(): Promise<void> {
      if (length() === 0) {
        began = now()
        moved = began
        window = { since: began, left: 0 }
        msEach = 0
      }
      return new Promise((enter, refuse) => {
        entries.push({ since: now(), enter, refuse })
        if (!isWatched) watch()
      })
    },
    letIn(): void {
      const next = takeFirst()
      if (!next) return
      measure()
      next.enter()
    },
  }
}
