import { setTimeout as delay } from 'node:timers/promises'
import { claimClient } from '../clients/store.ts'
import type { ClientRow } from '../context.ts'
import { createContext } from '../create-context.ts'
import type { Queries } from '../db/database.ts'
import type { Service } from '../service.ts'
import { createDeliveries } from '../webhooks/deliver.ts'
import { findNextDelivery } from '../webhooks/store.ts'
import { jobHandlers } from './kinds.ts'
import {
  deleteJob,
  findDueJob,
  findNextDue,
  type JobRow,
  listClientsWithWork,
  listDueClients,
  postponeJob,
} from './store.ts'

/** Does what has become due: jobs in transactions of their own, then deliveries. */
export interface Runner {
  /** Looks soon whether something is due. */
  wake(): void
  /** Does all that is due for one client, each delivery at most once, before it resolves. */
  runDue(clientId: string): Promise<void>
  /** Does all that is due for everybody, each delivery at most once, before it resolves. */
  finish(): Promise<void>
  /**
   * Stops, once what has begun is done; deliveries that take longer than the grace in ms are left
   * for the next start.
   */
  stop(graceMs?: number): Promise<void>
}

const longestSleep = 60_000
/** How soon rows are seen that another process has written, and left due when it died. */
const longestSleepBesideOthers = 1000
const shortestSleep = 5
const retryAfter = 30_000
/** How soon to look again when looking itself has failed; twice as late each time. */
const firstPauseMs = 1000
/** How soon to see whether another process is through with a job. */
const lookAgainMs = 10

export function createRunner(service: Service): Runner {
  let timer: NodeJS.Timeout | undefined
  let running: Promise<void> | undefined
  let again = false
  let stopped = false
  let failures = 0
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
    failures = 0
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
        if (!stopped) sleep(Math.min(firstPauseMs * 2 ** failures, retryAfter))
        failures += 1
      })
      .finally(() => {
        running = undefined
        // Whoever woke it after its last look, while it was lying down, is not to wait.
        if (again) wake()
      })
  }

  async function runDue(clientId: string): Promise<void> {
    await finishJobs(service, clientId)
    await deliveries.finish(clientId)
    // Time has passed since, in which more may have become due.
    await finishJobs(service, clientId)
    wake()
  }

  return {
    wake,
    runDue,
    async finish() {
      const clients = await listClientsWithWork(service.database.single, service.clock())
      await Promise.all(clients.map(({ client_id }) => runDue(client_id)))
    },
    async stop(graceMs) {
      stopped = true
      clearTimeout(timer)
      await running
      await deliveries.stop(graceMs)
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

type Ending = 'done' | 'elsewhere' | 'none'

/** Runs the first job of a client that is due. */
async function runNextJob(service: Service, clientId: string): Promise<Ending> {
  let job: JobRow | undefined
  const run = async (db: Queries): Promise<Ending> => {
    const client = await claimClient(db, clientId)
    if (!client) return 'elsewhere'
    job = await findDueJob(db, clientId, service.clock())
    if (!job) return 'none'
    await runJob(service, db, client, job)
    return 'done'
  }
  try {
    return await service.database.transaction(run, { owner: clientId })
  } catch (error) {
    if (!job) throw error
    await postpone(service, job, error)
    return 'done'
  }
}

async function runJob(
  service: Service,
  db: Queries,
  client: ClientRow,
  job: JobRow,
): Promise<void> {
  // A job lives at the moment that it was planned for, however late it runs.
  const now = job.due_at + client.clock_offset_ms
  const { ctx } = createContext(service, db, { client, now })
  const handle = jobHandlers[job.kind as keyof typeof jobHandlers] as JobHandler
  await handle(ctx, JSON.parse(job.payload))
  // Last, as it is for those who take a job back: they have changed its Item before.
  await deleteJob(db, job)
}

async function postpone(service: Service, job: JobRow, error: unknown): Promise<void> {
  service.log.error(error, `the job ${job.kind} failed and is tried again`)
  const due = service.clock() + retryAfter * 2 ** Math.min(job.attempts, 8)
  const owner = job.client_id
  await service.database.transaction((db) => postponeJob(db, job, due), { owner })
}

type JobHandler = (ctx: object, payload: unknown) => Promise<void>
