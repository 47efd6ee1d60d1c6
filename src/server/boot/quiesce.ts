import type { Service } from '../kernel/service.ts'
import { createNews } from '../pipeline/await-news.ts'
import type { RequestLog } from '../pipeline/request-log.ts'
import { createRunner } from '../worker/runner.ts'
import type { DrainBarrier } from './drain-barrier.ts'

/**
 * How due work ends before the service is quiet: `finish` runs all of it, each delivery once. `cut`
 * aborts the deliveries in flight.
 */
type DueWork = 'finish' | 'cut'

/** Runs `work` while this process answers no request and runs no background work. */
export type Quiesce = <Result>(work: () => Promise<Result>, due: DueWork) => Promise<Result>

interface Quiescing {
  quiesce: Quiesce
  /** Resolves when no such work is left. */
  settled(): Promise<unknown>
}

/** Runs such work one at a time. */
export function createQuiesce(
  service: Service,
  barrier: DrainBarrier,
  requestLog: RequestLog,
): Quiescing {
  let previous: Promise<unknown> = Promise.resolve()
  const runQuiet: Quiesce = async (work, due) => {
    // Before the barrier closes, since receivers may request a verification key before they answer.
    if (due === 'finish') await service.runner.finish()
    barrier.close()
    // Calls that wait for news would keep it from being drained.
    service.singleton(createNews).release()
    try {
      // A request that advances the clock is running until its deliveries end.
      await service.runner.stop(due === 'cut' ? 0 : undefined)
      await barrier.drained()
      await requestLog.flush()
      return await work()
    } finally {
      service.runner = createRunner(service)
      barrier.open()
      service.runner.wake()
    }
  }
  return {
    quiesce(work, due) {
      const done = previous.then(() => runQuiet(work, due))
      previous = done.catch(() => {})
      return done
    },
    settled: () => previous,
  }
}
