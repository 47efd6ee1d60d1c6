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
import { createContext, type OpenContext } from '../pipeline/create-context.ts'
import { insertDeadJob } from '../queue/dead-job-store.ts'
import { deleteJob, findDueJob, type JobRow, postponeJob } from '../queue/job-store.ts'
import { jobEndings, jobHandlers, jobKinds } from './job-kinds.ts'

/** With the pauses between them that is eight and a half hours. */
export const mostAttempts = 12
const firstPauseMs = 30_000
const mostDoublings = 8
/** How soon to check whether another process has ended a job. */
const checkAgainMs = 10
const longestError = 500

/** The outcome of a client's first due job. `elsewhere`: other work of that client is running. */
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
    if (ending === 'elsewhere') await delay(checkAgainMs)
  }
}

/**
 * Runs the first due job of a client. Waits for other work of the client, requests or work of another
 * process, unless `wait` is false. A client that does not exist has no jobs.
 */
export async function runNextJob(
  service: Service,
  clientId: string,
  { wait = true } = {},
): Promise<Ending> {
  let job: JobRow | undefined
  let opened: OpenContext | undefined
  const run = async (db: Queries): Promise<Ending> => {
    const client = await claimClient(db, clientId)
    if (!client) return (await findClient(db, clientId)) ? 'elsewhere' : 'none'
    job = await findDueJob(db, clientId, service.clock(), jobKinds)
    if (!job) return 'none'
    opened = await runJob(service, db, client, job)
    return 'done'
  }
  try {
    const patience: TransactionOptions<Ending> = wait ? {} : { ifBusy: 'elsewhere' }
    const ending = await service.database.transaction(run, { owner: clientId, ...patience })
    opened?.tellImports()
    return ending
  } catch (error) {
    if (!job) throw error
    await endAttempt(service, job, error)
    return 'done'
  }
}

/** A failure of the database does not count as an attempt of the job. */
async function endAttempt(service: Service, job: JobRow, error: unknown): Promise<void> {
  const attempts = job.attempts + 1
  if (isDatabases(error)) await postpone(service, job, error, job.attempts)
  else if (attempts < mostAttempts) await postpone(service, job, error, attempts)
  else await giveUp(service, job, error)
}

/** A statement timeout counts as an attempt, since such a job would otherwise be retried forever. */
const isDatabases = (error: unknown): boolean =>
  error instanceof UnknownOutcome ||
  (error instanceof DatabaseUnavailable && !(error instanceof OverTime))

async function runJob(
  service: Service,
  db: Queries,
  client: ClientRow,
  job: JobRow,
): Promise<OpenContext> {
  // A job runs with the time that it was scheduled for, however late it starts.
  const now = job.due_at + client.clock_offset_ms
  const opened = createContext(service, db, { client, now })
  const handle = jobHandlers[job.kind as keyof typeof jobHandlers] as JobHandler
  await handle(opened.ctx, JSON.parse(job.payload))
  // Deleted last, in the same lock order as a cancellation: the Item first.
  await deleteJob(db, job)
  return opened
}

async function postpone(
  service: Service,
  job: JobRow,
  error: unknown,
  attempts: number,
): Promise<void> {
  service.log.error(error, `the job ${job.kind} failed and is tried again`)
  const dueAt = service.clock() + firstPauseMs * 2 ** Math.min(job.attempts, mostDoublings)
  // Marked as short, so that it does not wait behind long requests of its client.
  const options = { owner: job.client_id, isShort: true }
  await service.database.transaction((db) => postponeJob(db, job, { dueAt, attempts }), options)
}

/**
 * Moves a job to the dead jobs, and ends what depends on it. If that fails too, both are retried
 * later. After the same number of further attempts the dead job contains both errors.
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

/** Writes a dead job. Returns false if another process has done so, or if its Item was removed. */
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

/** An error as one line for operators. The text is cut first, since redaction is slow on long texts. */
function toText(error: unknown): string {
  const [line = ''] = String(error)
    .slice(0, 2 * longestError)
    .split('\n')
  return redact(line).slice(0, longestError)
}

type JobHandler = (ctx: object, payload: unknown) => Promise<void>
