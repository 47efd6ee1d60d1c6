import { setTimeout as delay } from 'node:timers/promises'
import { claimClient, findClient } from '../clients/store.ts'
import type { ClientRow } from '../kernel/context.ts'
import {
  DatabaseUnavailable,
  OverTime,
  type Queries,
  type TransactionOptions,
  UnknownOutcome,
} from '../kernel/database.ts'
import { redact } from '../kernel/redact.ts'
import type { Service } from '../kernel/service.ts'
import { createContext } from '../pipeline/create-context.ts'
import { insertDeadJob } from '../queue/dead-job-store.ts'
import { deleteJob, findDueJob, type JobRow, postponeJob } from '../queue/job-store.ts'
import { jobEndings, jobHandlers, jobKinds } from './job-kinds.ts'

/** With the pauses between them that is eight and a half hours. */
export const mostAttempts = 12
const firstPauseMs = 30_000
const mostDoublings = 8
/** How soon to check whether another process has ended a job. */
const lookAgainMs = 10
const longestError = 500

/** What became of a client's first due job; `elsewhere`: something else of that client is under way. */
export type Ending = 'done' | 'elsewhere' | 'none'

/** Runs a client's due jobs until none is left, also while other processes run some of them. */
export async function finishJobs(
  service: Service,
  clientId: string,
  signal: AbortSignal,
): Promise<void> {
  while (!signal.aborted) {
    const ending = await runNextJob(service, clientId)
    if (ending === 'none') return
    if (ending === 'elsewhere') await delay(lookAgainMs)
  }
}

/**
 * Runs the first job of a client that is due; a client that does not exist has none. Waits for
 * whatever else of the client is under way, calls or work of another process, unless told not to.
 */
export async function runNextJob(
  service: Service,
  clientId: string,
  { wait = true } = {},
): Promise<Ending> {
  let job: JobRow | undefined
  const run = async (db: Queries): Promise<Ending> => {
    const client = await claimClient(db, clientId)
    if (!client) return (await findClient(db, clientId)) ? 'elsewhere' : 'none'
    job = await findDueJob(db, clientId, service.clock(), jobKinds)
    if (!job) return 'none'
    await runJob(service, db, client, job)
    return 'done'
  }
  try {
    const patience: TransactionOptions<Ending> = wait ? {} : { ifBusy: 'elsewhere' }
    return await service.database.transaction(run, { owner: clientId, ...patience })
  } catch (error) {
    if (!job) throw error
    await endAttempt(service, job, error)
    return 'done'
  }
}

/** What fails by the state of the database says nothing of the job, so it is no attempt of it. */
async function endAttempt(service: Service, job: JobRow, error: unknown): Promise<void> {
  const attempts = job.attempts + 1
  if (isDatabases(error)) await postpone(service, job, error, job.attempts)
  else if (attempts < mostAttempts) await postpone(service, job, error, attempts)
  else await giveUp(service, job, error)
}

/** A job whose statement meets its time limit would fail for ever, if that did not count. */
const isDatabases = (error: unknown): boolean =>
  error instanceof UnknownOutcome ||
  (error instanceof DatabaseUnavailable && !(error instanceof OverTime))

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

async function postpone(
  service: Service,
  job: JobRow,
  error: unknown,
  attempts: number,
): Promise<void> {
  service.log.error(error, `the job ${job.kind} failed and is tried again`)
  const dueAt = service.clock() + firstPauseMs * 2 ** Math.min(job.attempts, mostDoublings)
  // Short, so that others do not wait with it for long calls of its client.
  const options = { owner: job.client_id, isShort: true }
  await service.database.transaction((db) => postponeJob(db, job, { dueAt, attempts }), options)
}

/**
 * Takes a job out of the queue for good, and ends what waits for it. Where that fails as well, all of
 * it is tried again later; after as many attempts again, the dead job tells both reasons.
 */
async function giveUp(service: Service, job: JobRow, error: unknown): Promise<void> {
  const { log, database } = service
  const options = { owner: job.client_id, isShort: true }
  try {
    await database.transaction(async (db) => {
      if (await bury(service, db, job, toText(error))) await endWhatWaits(service, db, job)
    }, options)
  } catch (failure) {
    log.error(failure, `what waits for the job ${job.kind} could not be ended`)
    if (isDatabases(failure)) return postpone(service, job, error, job.attempts)
    const attempts = job.attempts + 1
    if (attempts < 2 * mostAttempts) return postpone(service, job, error, attempts)
    const both = `${toText(error)}; what waits for it could not be ended: ${toText(failure)}`
    await database.transaction((db) => bury(service, db, job, both), options)
  }
  log.error(error, `the job ${job.kind} failed ${job.attempts + 1} times and is not tried again`)
}

/** Makes a job a dead one; false where another process has done so meanwhile, or its Item is gone. */
async function bury(service: Service, db: Queries, job: JobRow, error: string): Promise<boolean> {
  if ((await deleteJob(db, job)) === 0) return false
  const { client_id, job_id, kind, payload } = job
  const attempts = job.attempts + 1
  const failed_at = service.clock()
  await insertDeadJob(db, { client_id, job_id, kind, payload, attempts, failed_at, error })
  return true
}

async function endWhatWaits(service: Service, db: Queries, job: JobRow): Promise<void> {
  const end = jobEndings[job.kind as keyof typeof jobEndings] as JobHandler | undefined
  const client = await findClient(db, job.client_id)
  if (!end || !client) return
  const now = service.clock() + client.clock_offset_ms
  await end(createContext(service, db, { client, now }).ctx, JSON.parse(job.payload))
}

/** A failure in a line for operators. The text is cut first: some patterns take long on much of it. */
function toText(error: unknown): string {
  const [line = ''] = String(error)
    .slice(0, 2 * longestError)
    .split('\n')
  return redact(line).slice(0, longestError)
}

type JobHandler = (ctx: object, payload: unknown) => Promise<void>
