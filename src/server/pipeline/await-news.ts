import { setTimeout as sleep } from 'node:timers/promises'
import { createCounts } from '../kernel/counts.ts'
import type { WithoutPermit } from './concurrency-limiter.ts'

/** Calls that wait for news. They hold no transaction, no connection and no permit. */
export interface News {
  /** Asks again and again, until there is an answer with news or the time is over. */
  await<Answer>(wait: NewsWait<Answer>): Promise<Answer>
  /** Lets every call that waits be answered at once. */
  release(): void
  /** The same, and no call waits any more. */
  stop(): void
}

export interface NewsWait<Answer> {
  clientId: string
  /** For how long at most. */
  ms: number
  ask(): Promise<Answer>
  isEmpty(answer: Answer): boolean
  withoutPermit: WithoutPermit
}

/** Another process may have the news, so each call looks for itself: by one statement or two. */
const askEveryMs = 500
/** Others are answered at once; their clients wait themselves. */
const most = { ofClient: 16, all: 200 }

export function createNews(): News {
  const counts = createCounts()
  let waiting = 0
  let isStopped = false
  let released = new AbortController()

  return {
    async await({ clientId, ms, ask, isEmpty, withoutPermit }) {
      const until = performance.now() + ms
      const { signal } = released
      let answer = await ask()
      const isFull = () => waiting >= most.all || counts.of(clientId) >= most.ofClient
      if (ms === 0 || isStopped || !isEmpty(answer) || isFull()) return answer
      waiting += 1
      counts.add(clientId, 1)
      try {
        while (isEmpty(answer) && performance.now() < until && !signal.aborted) {
          const pause = Math.min(askEveryMs, until - performance.now())
          await withoutPermit(() => sleep(pause, undefined, { signal }).catch(() => {}))
          answer = await ask()
        }
        return answer
      } finally {
        waiting -= 1
        counts.add(clientId, -1)
      }
    },
    release() {
      released.abort()
      released = new AbortController()
    },
    stop() {
      isStopped = true
      released.abort()
    },
  }
}
