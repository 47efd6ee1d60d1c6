import { setTimeout as sleep } from 'node:timers/promises'
import type { Body } from '../../support/service.ts'
import type { ServiceProcess } from '../../support/service-process.ts'
import type { Ground } from './trial-ground.ts'
import type { Ledger } from './trial-ledger.ts'
import { type Write, writesOn } from './trial-writes.ts'

type Post = ServiceProcess['post']

/** Workers that write until they are stopped, whatever becomes of the service. */
export interface TrialLoad {
  /** The service that the next calls go to; none while it is down. */
  use(post: Post | undefined): void
  counts(): { answered: number; unanswered: number; refused: number }
  /** Waits until so many more calls were answered with success. */
  answers(more: number): Promise<void>
  /** Answers that no fault of the machine explains. */
  surprises: string[]
  /** How long each answered call took, in ms. */
  times: number[]
  stop(): Promise<void>
}

class NoAnswer extends Error {}
class Rejected extends Error {}

/** How long a worker waits who had no success. */
const pauseMs = 20

/** Starts a worker for each kind of write; `expected` are statuses of a fault that is tried. */
export function startTrialLoad(
  ground: Ground,
  ledger: Ledger,
  expected: readonly number[] = [],
): TrialLoad {
  let current: Post | undefined
  let [answered, unanswered, refused, unique, stopped] = [0, 0, 0, 0, false]
  const surprises: string[] = []
  const times: number[] = []
  const run = `${process.pid}-${Date.now()}`

  async function ask(path: string, body: object): Promise<Body> {
    const begun = performance.now()
    const answer = await current?.(path, body).catch(() => undefined)
    if (!answer) throw new NoAnswer(path)
    if (answer.status !== 200) {
      if (expected.includes(answer.status)) throw new Rejected(path)
      surprises.push(`${path} ${answer.status} ${JSON.stringify(answer.body)}`)
      throw new Rejected(path)
    }
    answered += 1
    times.push(performance.now() - begun)
    return answer.body
  }

  async function work(write: Write): Promise<void> {
    while (!stopped) {
      unique += 1
      try {
        await write(ask, `${run}-${unique}`)
        continue
      } catch (error) {
        if (error instanceof NoAnswer) unanswered += current ? 1 : 0
        else if (error instanceof Rejected) refused += 1
        else throw error
      }
      await sleep(pauseMs)
    }
  }

  const workers = writesOn(ground, ledger).map(work)
  return {
    use(post) {
      current = post
    },
    counts: () => ({ answered, unanswered, refused }),
    async answers(more) {
      for (const enough = answered + more; answered < enough && !stopped; ) await sleep(1)
    },
    surprises,
    times,
    async stop() {
      stopped = true
      await Promise.all(workers)
    },
  }
}
