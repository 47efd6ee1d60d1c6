import type { Service } from '../kernel/service.ts'
import type { RequestLog } from '../pipeline/request-log.ts'
import { createRunner } from '../worker/runner.ts'
import type { Gate } from './gate.ts'

/**
 * What becomes of the work that is due: `finish` does all of it first, each delivery once; `cut`
 * ends deliveries that are on their way.
 */
export type Pause = 'finish' | 'cut'

/** Does `work` while this process answers nothing and works on nothing else. */
export type Alone = <Result>(work: () => Promise<Result>, pause: Pause) => Promise<Result>

interface Pauses {
  alone: Alone
  /** Resolves when no such work is left. */
  settled(): Promise<unknown>
}

/** Lets work have the service for itself, one after the other. */
export function createPauses(service: Service, gate: Gate, requestLog: RequestLog): Pauses {
  let turn: Promise<unknown> = Promise.resolve()
  const workAlone: Alone = async (work, pause) => {
    // Before the gate is closed, since receivers may ask for a key before they answer.
    if (pause === 'finish') await service.runner.finish()
    gate.close()
    try {
      // Whoever moves the clock is inside until its deliveries end.
      await service.runner.stop(pause === 'cut' ? 0 : undefined)
      await gate.empty()
      await requestLog.flush()
      return await work()
    } finally {
      service.runner = createRunner(service)
      gate.open()
      service.runner.wake()
    }
  }
  return {
    alone(work, pause) {
      const done = turn.then(() => workAlone(work, pause))
      turn = done.catch(() => {})
      return done
    },
    settled: () => turn,
  }
}
