import { setTimeout } from 'node:timers'
import { type AccountHistory, createHistory } from './account-history.ts'
import type { Country } from './towns.ts'

/** More than a megabyte each, after two years of history. To make one again takes 5 to 15 ms. */
const wholeKept = 8
/** A clock that is stepped day by day needs those of all Items at each step, but only their latest months. */
const shortKept = 40
/** After the last use of any. */
const keptForMs = 10_000

type FindHistory = (seed: string, country: Country) => AccountHistory

/**
 * Finds histories, and keeps those that were asked for last. The timer is not the global one: in a
 * test with fake timers they would be kept for ever.
 */
export function keepHistories(later: typeof setTimeout = setTimeout): FindHistory {
  const whole = new Map<string, AccountHistory>()
  const short = new Map<string, AccountHistory>()
  let forgetting: NodeJS.Timeout | undefined
  const forget = () => {
    whole.clear()
    short.clear()
    forgetting = undefined
  }
  return (seed, country) => {
    forgetting ??= later(forget, keptForMs).unref()
    forgetting.refresh()
    const key = `${country}/${seed}`
    const history = whole.get(key) ?? short.get(key) ?? createHistory(seed, country)
    short.delete(key)
    // A map tells its keys in the order in which they were set.
    whole.delete(key)
    whole.set(key, history)
    for (const [earlier, one] of takeFirst(whole, whole.size - wholeKept)) {
      one.shorten()
      short.set(earlier, one)
    }
    takeFirst(short, short.size - shortKept)
    return history
  }
}

/** The history of a seed. */
export const findHistory: FindHistory = keepHistories()

/** Takes so many entries out that were set before the others. */
function takeFirst<Value>(map: Map<string, Value>, count: number): [string, Value][] {
  if (count <= 0) return []
  const taken = [...map].slice(0, count)
  for (const [key] of taken) map.delete(key)
  return taken
}
