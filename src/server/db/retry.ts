import { setTimeout as sleep } from 'node:timers/promises'
import { LostConnection, StatementError } from './lane.ts'

const mostTries = 10
const longestPause = 100
// A server that restarts, or hands over to another, is mostly back by then.
const longestOutageMs = 5000

// Serialization failure and deadlock: one of two transactions had to give way.
const gaveWay = ['40001', '40P01']
// A key that two transactions have chosen, each from what it had read.
const sameKey = '23505'

/** Whether work may well succeed when it is done again. */
export function isWorthRetrying(error: unknown, chosenKeys: boolean): boolean {
  if (error instanceof LostConnection) return true
  if (!(error instanceof StatementError)) return false
  return gaveWay.includes(error.code) || (chosenKeys && error.code === sameKey)
}

/** Does work again that had to give way, or whose connection was lost before anything was kept. */
export async function retrying<Result>(
  attempt: (tries: number) => Promise<Result>,
  { chosenKeys = false } = {},
): Promise<Result> {
  const begun = performance.now()
  for (let tries = 1; ; tries += 1) {
    try {
      return await attempt(tries)
    } catch (error) {
      const isOver =
        error instanceof LostConnection
          ? performance.now() - begun > longestOutageMs
          : tries >= mostTries
      if (isOver || !isWorthRetrying(error, chosenKeys)) throw error
      await sleep(Math.random() * Math.min(2 ** tries, longestPause))
    }
  }
}
