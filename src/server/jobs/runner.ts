import { findClient } from '../clients/store.ts'
import { createContext } from '../create-context.ts'
import type { Service } from '../service.ts'
import { createDeliveries } from '../webhooks/deliver.ts'
import { findNextDelivery } from '../webhooks/store.ts'
import { jobHandlers } from './kinds.ts'
import { deleteJob, findDueJob, findNextDue, type JobRow, postponeJob } from './store.ts'

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
const shortestSleep = 5
const retryAfter = 30_000

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
      await runJobs(service, null)
      await deliveries.begin()
    } while (again && !stopped)
    if (!stopped) await sleepUntilNext(looked)
  }

  async function sleepUntilNext(looked: number): Promise<void> {
    const dues = await service.database.read(async (db) => [
      await findNextDue(db),
      // What was due already waits for room, and is looked at when there is some.
      await findNextDelivery(db, looked),
    ])
    const next = Math.min(...dues.map((due) => due ?? Number.POSITIVE_INFINITY))
    sleep(Math.max(shortestSleep, Math.min(next - service.clock(), longestSleep)))
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
      await runJobs(service, clientId)
      await deliveries.finish(clientId)
      // Time has passed since, in which more may have become due.
      await runJobs(service, clientId)
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

/** Runs due jobs, also those that they plan, until none is left. */
async function runJobs(service: Service, clientId: string | null): Promise<void> {
  for (;;) {
    const now = service.clock()
    const job = await service.database.read((db) => findDueJob(db, now, clientId))
    if (!job) return
    await runJob(service, job)
  }
}

async function runJob(service: Service, job: JobRow): Promise<void> {
  try {
    await service.database.transaction(async (db) => {
      if (!(await deleteJob(db, job))) return
      const client = await findClient(db, job.client_id)
      if (!client) return
      // A job lives at the moment that it was planned for, however late it runs.
      const now = job.due_at + client.clock_offset_ms
      const { ctx } = createContext(service, db, { client, now })
      const handle = jobHandlers[job.kind as keyof typeof jobHandlers] as JobHandler
      await handle(ctx, JSON.parse(job.payload))
    })
  } catch (error) {
    service.log.error(error, `the job ${job.kind} failed and is tried again`)
    const due = service.clock() + retryAfter * 2 ** Math.min(job.attempts, 8)
    await service.database.transaction((db) => postponeJob(db, job, due))
  }
}

type JobHandler = (ctx: object, payload: unknown) => Promise<void>
