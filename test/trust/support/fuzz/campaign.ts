import fc from 'fast-check'
import { runDirected } from './directed.ts'
import { plans } from './plan.ts'
import { createReach, type ReachData } from './reach.ts'
import { runPlan } from './run-plan.ts'
import { Finding, type Ground } from './session.ts'
import { show } from './show.ts'
import { readSubjects } from './subjects.ts'
import { openTarget } from './target.ts'

export interface CampaignTask {
  /** Where the sources of the service are. */
  root: string
  seed: number
  /** Ends with the run that gets there. */
  requests: number
  /** And at the latest after so many ms of computing: on a busy machine that takes longer. */
  time: number
  /** Steps of a run. */
  length: number
  /** How long the search for fewer requests may take, in ms. */
  shrink: number
  /** Whether what chance hardly finds is gone after first. */
  directed: boolean
}

/** What came of a campaign; no text in it holds a secret. */
export interface Outcome {
  reach: ReachData
  /** The property that does not hold, and the requests that show it. */
  finding: string | undefined
  /** Requests until the first finding, those that shrank it left out. */
  found: number | undefined
  time: number
}

/** Runs sequences until there are enough, or one shows what must not be. */
export async function runCampaign(
  task: CampaignTask,
  told: (requests: number) => void = () => {},
): Promise<Outcome> {
  const subjects = await readSubjects()
  const reach = createReach()
  let target = await openTarget(task.root)
  const ground = (): Ground => ({
    target,
    subjects: new Map(subjects.map((subject) => [subject.id, subject])),
    reach,
  })
  const begun = performance.now()
  const before = computed()
  let last: Finding | undefined
  let found: number | undefined
  let until = Number.POSITIVE_INFINITY
  let runs = 0

  async function run(steps: Parameters<typeof runPlan>[1]): Promise<void> {
    // Ends the property here, or the search for fewer requests.
    if (performance.now() > until || (found === undefined && isEnough())) {
      throw new fc.PreconditionFailure(true)
    }
    runs += 1
    // What one service has gathered makes the next runs slower, and hides nothing.
    if (runs % 60 === 0) await renew()
    try {
      await runPlan(ground(), steps)
    } catch (error) {
      last = error instanceof Finding ? error : new Finding(`lives: ${wordsOf(error)}`, [])
      found ??= reach.requests
      until = Math.min(until, performance.now() + task.shrink)
      target.takeLog()
      throw last
    }
    told(reach.requests)
  }

  const isEnough = () => reach.requests >= task.requests || computed() - before > task.time

  /** On seed data of its own; nothing of it can be left out, so it does not shrink. */
  async function direct(): Promise<void> {
    try {
      await runDirected(task.root, ground())
    } catch (error) {
      last = error instanceof Finding ? error : new Finding(`lives: ${wordsOf(error)}`, [])
      found = reach.requests
    }
    told(reach.requests)
  }

  async function renew(): Promise<void> {
    await target.close()
    target = await openTarget(task.root)
  }

  if (task.directed) await direct()
  const arbitrary = plans(subjects, task.length)
  for (let part = 0; found === undefined && !isEnough(); part += 1) {
    await fc.check(fc.asyncProperty(arbitrary, run), {
      seed: task.seed + part * 7919,
      numRuns: 200,
    })
  }
  await target.close().catch(() => {})
  const words = last && show(last)
  return { reach: reach.data(), finding: words, found, time: performance.now() - begun }
}

/** What this process has computed, in ms. */
function computed(): number {
  const { user, system } = process.cpuUsage()
  return (user + system) / 1000
}

const wordsOf = (error: unknown): string =>
  error instanceof Error ? (error.stack ?? error.message).slice(0, 800) : String(error)
