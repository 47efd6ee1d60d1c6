import { findClient } from '../clients/store.ts'
import { createContext } from '../create-context.ts'
import type { Service } from '../service.ts'
import { deliverDue, findNextDelivery } from '../webhooks/deliver.ts'
import { jobHandlers } from './kinds.ts'
import { deleteJob, findDueJob, findNextDue, type JobRow, postponeJob } from './store.ts'

/** Does what has become due: jobs in transactions of their own, then deliveries. */
export interface Runner {
  /** Looks soon whether something is due. */
  wake(): void
  /** Does all that is due for one client, each delivery at most once, before it resolves. */
  runDue(clientId: string): Promise<void>
  /** Stops, once what has begun is done. */
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

  async function run(): Promise<void> {
    do {
      again = false
      await runJobs(service, null)
      await deliverDue(service, null)
    } while (again && !stopped)
    if (!stopped) await sleepUntilNext()
  }

  async function sleepUntilNext(): Promise<void> {
    const dues = await service.database.read(async (db) => [
      await findNextDue(db),
      await findNextDelivery(db),
    ])
    const next = Math.min(...dues.map((due) => due ?? Number.POSITIVE_INFINITY))
    const sleep = Math.max(shortestSleep, Math.min(next - service.clock(), longestSleep))
    clearTimeout(timer)
    timer = setTimeout(wake, sleep)
    timer.unref()
  }

  function wake(): void {
    if (stopped) return
    again = true
    running ??= run()
      .catch((error) => service.log.error(error, 'background work failed'))
      .finally(() => {
        running = undefined
      })
  }

  return {
    wake,
    async runDue(clientId) {
      await runJobs(service, clientId)
      await deliverDue(service, clientId)
      wake()
    },
    async stop() {
      stopped = true
      clearTimeout(timer)
      await running
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
