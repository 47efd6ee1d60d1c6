import { setTimeout as sleep } from 'node:timers/promises'
import type { Receiver } from './receiver.ts'
import type { Answered } from './service.ts'
import type { ServiceProcess } from './service-process.ts'

/** Calls that several workers make at once, of whichever processes there are. */
export interface Load {
  /** What was answered with success, by path. */
  acknowledged(path: string): Answered['body'][]
  /** Answers that were neither a success nor expected. */
  surprises: string[]
  /** How many calls were made of a path, and how many of all had no answer. */
  called(path: string): number
  unanswered(): number
  /** Waits until so many more calls have succeeded. */
  succeed(count: number): Promise<void>
  /** Lets each worker finish the call that it is at. */
  stop(): Promise<void>
}

/** A call, built again each time. */
export type MakeCall = () => { path: string; body: object }

/** How long a caller waits who had no answer. */
const pauseMs = 100

/** Starts a worker for each call; `processes` may change meanwhile. */
export function startLoad(
  processes: readonly ServiceProcess[],
  calls: readonly MakeCall[],
  expected: readonly string[] = [],
): Load {
  const answers = new Map<string, Answered['body'][]>()
  const called = new Map<string, number>()
  const surprises: string[] = []
  const waiting = new Set<() => void>()
  let [unanswered, successes, turn, stopped] = [0, 0, 0, false]

  async function work(make: MakeCall): Promise<void> {
    while (!stopped) {
      const { path, body } = make()
      called.set(path, (called.get(path) ?? 0) + 1)
      turn += 1
      const process = processes[turn % processes.length] as ServiceProcess
      const answer = await process.post(path, body).catch(() => undefined)
      if (!answer) {
        unanswered += 1
        await sleep(pauseMs)
      } else if (answer.status === 200) {
        answers.set(path, [...(answers.get(path) ?? []), answer.body])
        successes += 1
      } else if (!expected.includes(String(answer.body['error_code']))) {
        surprises.push(`${path} ${answer.status} ${JSON.stringify(answer.body)}`)
      }
      for (const look of waiting) look()
    }
  }
  const workers = calls.map(work)
  return {
    acknowledged: (path) => answers.get(path) ?? [],
    surprises,
    called: (path) => called.get(path) ?? 0,
    unanswered: () => unanswered,
    succeed(count) {
      const enough = successes + count
      return new Promise((resolve) => {
        const look = () => {
          if (successes < enough) return
          waiting.delete(look)
          resolve()
        }
        waiting.add(look)
        look()
      })
    },
    async stop() {
      stopped = true
      await Promise.all(workers)
    },
  }
}

/** How the deliveries to each path of a receiver overlap. */
export interface Overlaps {
  /** The paths at which a second delivery came before the first was over. */
  found: string[]
  /** How many are under way. */
  open(): number
}

/** Lets a receiver take its time, and watches what comes meanwhile. */
export function watchOverlaps(receiver: Receiver, answerAfterMs: number): Overlaps {
  const open = new Map<string, number>()
  const found: string[] = []
  receiver.behave((response) => {
    const path = response.req.url ?? ''
    const count = (open.get(path) ?? 0) + 1
    if (count > 1) found.push(path)
    open.set(path, count)
    let isOver = false
    const end = () => {
      if (!isOver) open.set(path, (open.get(path) ?? 1) - 1)
      isOver = true
    }
    response.on('finish', end)
    response.on('close', end)
    setTimeout(() => response.writeHead(200).end(), answerAfterMs)
  })
  return { found, open: () => [...open.values()].reduce((sum, count) => sum + count, 0) }
}
