import { setTimeout as delay } from 'node:timers/promises'
import { findClient } from '../clients/store.ts'
import { createContext } from '../create-context.ts'
import type { Queries } from '../db/database.ts'
import type { Service } from '../service.ts'
import { createDeliveries } from '../webhooks/deliver.ts'
import { findNextDelivery } from '../webhooks/store.ts'
import { jobHandlers } from './kinds.ts'
import {
  findDueJob,
  findNextDue,
  type JobRow,
  listDueClients,
  postponeJob,
  takeJob,
} from './store.ts'

/** Does what has become due: jobs in transactions of their own, then deliveries. */
export interface Runner {
  /** Looks soon whether something is due. */
  wake(): void
  /** Does all that is due for one client, each delivery at most once, before it resolves. */
  runDue(clientId: string): Promise<void>
  /** Stops, once what has begun is done; deliveries that take long are left for the next start. */
  stop(): Promise<void>
}

const longestSleep = 60_000
/** How soon rows are seen that another process has written, and left due when it died. */
const longestSleepBesideOthers = 1000
const shortestSleep = 5
const retryAfter = 30_000
/** How soon to see whether another process is through with a job. */
const lookAgainMs = 10

export function createRunner(service: Service): Runner {
  let timer: NodeJS.Timeout | undefined
  let running: Promise<void> | undefined
  let again = false
  let stopped = false
  const deliveries = createDeliveries(service, wake)

  async function run(): Promise<void> {
    let looked: number
    do {
      again = false
      looked = service.clock()
      await runDueJobs(service, looked)
      await deliveries.begin()
    } while (again && !stopped)
    if (!stopped) await sleepUntilNext(looked)
  }

  async function sleepUntilNext(looked: number): Promise<void> {
    const dues = await service.database.read(async (db) => [
      // What was due already is done by another process, or waits for room.
      await findNextDue(db, looked),
      await findNextDelivery(db, looked),
    ])
    const next = Math.min(...dues.map((due) => due ?? Number.POSITIVE_INFINITY))
    const longest = service.database.shared ? longestSleepBesideOthers : longestSleep
    sleep(Math.max(shortestSleep, Math.min(next - service.clock(), longest)))
  }

  function sleep(ms: number): void {
    clearTimeout(timer)
    timer = setTimeout(wake, ms)
    timer.unref()
  }

  function wake(): void {
    if (stopped) return
    again = true
    running ??= run()
      .catch((error) => {
        service.log.error(error, 'background work failed')
        if (!stopped) sleep(retryAfter)
      })
      .finally(() => {
        running = undefined
        // Whoever woke it after its last look, while it was lying down, is not to wait.
        if (again) wake()
      })
  }

  return {
    wake,
    async runDue(clientId) {
      await finishJobs(service, clientId)
      await deliveries.finish(clientId)
      // Time has passed since, in which more may have become due.
      await finishJobs(service, clientId)
      wake()
    },
    async stop() {
      stopped = true
      clearTimeout(timer)
      await running
      await deliveries.stop()
    },
  }
}

/** Runs due jobs, also those that they plan, but for those that other processes are at. */
async function runDueJobs(service: Service, now: number): Promise<void> {
  for (const { client_id } of await listDueClients(service.database.single, now)) {
    while ((await runNextJob(service, client_id)) === 'done');
  }
}

/** Runs a client's due jobs until none is left, whoever else is at them. */
async function finishJobs(service: Service, clientId: string): Promise<void> {
  for (;;) {
    const ending = await runNextJob(service, clientId)
    if (ending === 'none') return
    if (ending === 'elsewhere') await delay(lookAgainMs)
  }
}

/**
 * Runs the first job of a client that is due. Its row is locked until the commit, so that each job
 * is done once, those of one client in their order, and none is lost with the process that had it.
 */
async function runNextJob(
  service: Service,
  clientId: string,
): Promise<'done' | 'elsewhere' | 'none'> {
  const job = await findDueJob(service.database.single, clientId, service.clock())
  if (!job) return 'none'
  try {
    const run = (db: Queries) => runJob(service, db, job)
    return (await service.database.transaction(run, { owner: clientId })) ? 'done' : 'elsewhere'
  } catch (error) {
    service.log.error(error, `the job ${job.kind} failed and is tried again`)
    const due = service.clock() + retryAfter * 2 ** Math.min(job.attempts, 8)
    await service.database.transaction((db) => postponeJob(db, job, due), { owner: clientId })
    return 'done'
  }
}

/** False when another process has taken the job. */
async function runJob(service: Service, db: Queries, job: JobRow): Promise<boolean> {
  const dueAt = await takeJob(db, job)
  if (dueAt === undefined) return false
  const client = await findClient(db, job.client_id)
  if (!client) return true
  // A job lives at the moment that it was planned for, however late it runs.
  const now = dueAt + client.clock_offset_ms
  const { ctx } = createContext(service, db, { client, now })
  const handle = jobHandlers[job.kind as keyof typeof jobHandlers] as JobHandler
  await handle(ctx, JSON.parse(job.payload))
  return true
}

type JobHandler = (ctx: object, payload: unknown) => Promise<void>
