import { setTimeout as delay } from 'node:timers/promises'
import { claimClient } from '../clients/store.ts'
import type { ClientRow } from '../context.ts'
import { createContext } from '../create-context.ts'
import type { Queries } from '../db/database.ts'
import { createPruning } from '../retention/pruning.ts'
import type { Service } from '../service.ts'
import { createDeliveries } from '../webhooks/deliver.ts'
import { findNextDelivery } from '../webhooks/queue-store.ts'
import { jobHandlers, jobKinds } from './kinds.ts'
import {
  deleteJob,
  findDueJob,
  findNextDue,
  type JobRow,
  listClientsWithWork,
  listDueClients,
  postponeJob,
} from './store.ts'
import { createWatch } from './watch.ts'

/** Does what has become due: jobs in transactions of their own, and deliveries beside them. */
export interface Runner {
  /** Looks soon whether something is due, and at once at endpoints that have something new. */
  wake(urls?: Iterable<string>): void
  /** Does all that is due for one client, each delivery at most once, before it resolves. */
  runDue(clientId: string): Promise<void>
  /** Does all that is due for everybody, each delivery at most once, before it resolves. */
  finish(): Promise<void>
  /**
   * Stops, once what has begun is done; deliveries that take longer than the grace in ms are left
   * for the next start.
   */
  stop(graceMs?: number): Promise<void>
  /** Leaves what calls still wait for, too: nobody will hear of it. */
  abandon(): void
}

const longestSleep = 60_000
/** How soon rows are seen that another process has written, and left due when it died. */
const longestSleepBesideOthers = 1000
const retryAfter = 30_000
/** How soon to see whether another process is through with a job. */
const lookAgainMs = 10
/** A client with many jobs lets the others have a turn after so many. */
const jobsInARow = 20
/** After a look at all endpoints the next one waits for as long as that took. */
const restBetweenLooks = 1

export function createRunner(service: Service): Runner {
  const abandoned = new AbortController()
  const pruning = createPruning(service)
  const { log, database } = service
  const longestSleepMs = database.shared ? longestSleepBesideOthers : longestSleep
  let stopped = false

  const deliveries = createDeliveries(service, {
    onEnd: pruning.note,
    onRoom: () => posts.wake(),
  })

  async function lookForDeliveries(): Promise<number> {
    const now = service.clock()
    await deliveries.begin()
    return untilDue(now, findNextDelivery)
  }

  async function lookForJobs(): Promise<number> {
    for (;;) {
      const now = service.clock()
      const clients = stopped ? [] : await listDueClients(database.single, now)
      let done = 0
      for (const clientId of clients) done += await runSome(clientId)
      if (done === 0) return untilDue(now, findNextDue)
    }
  }

  /** Runs jobs of a client, unless another process is at them; how many. */
  async function runSome(clientId: string): Promise<number> {
    let done = 0
    while (!stopped && done < jobsInARow && (await runNextJob(service, clientId)) === 'done') {
      done += 1
      posts.wake()
    }
    return done
  }

  /** What was due already is done by another process, or waits for room. */
  async function untilDue(now: number, find: typeof findNextDue): Promise<number> {
    const due = await database.read((db) => find(db, now))
    return due === null ? longestSleepMs : due - service.clock()
  }

  const jobs = createWatch({ look: lookForJobs, restShare: 0, longestSleepMs, log })
  const posts = createWatch({
    look: lookForDeliveries,
    restShare: restBetweenLooks,
    longestSleepMs,
    log,
  })

  function wake(urls: Iterable<string> = []): void {
    deliveries.beginAt(urls)
    jobs.wake()
    posts.wake()
  }

  async function runDue(clientId: string): Promise<void> {
    await finishJobs(service, clientId, abandoned.signal)
    await deliveries.finish(clientId)
    // Time has passed since, in which more may have become due.
    await finishJobs(service, clientId, abandoned.signal)
    wake()
  }

  return {
    wake,
    runDue,
    async finish() {
      const clients = await listClientsWithWork(database.single, service.clock())
      await Promise.all(clients.map(({ client_id }) => runDue(client_id)))
    },
    async stop(graceMs) {
      stopped = true
      await Promise.all([jobs.stop(), posts.stop(), pruning.stop()])
      await deliveries.stop(graceMs)
    },
    abandon: () => abandoned.abort(),
  }
}

/** Runs a client's due jobs until none is left, whoever else is at them. */
async function finishJobs(service: Service, clientId: string, signal: AbortSignal): Promise<void> {
  while (!signal.aborted) {
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
    job = await findDueJob(db, clientId, service.clock(), jobKinds)
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
