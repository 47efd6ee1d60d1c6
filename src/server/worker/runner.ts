import type { Runner, Service } from '../kernel/service.ts'
import { findNextDelivery } from '../queue/due-webhook-store.ts'
import { findNextDue, listClientsWithWork, listDueClients } from '../queue/job-store.ts'
import { createBusyClients } from './busy-clients.ts'
import { createCheckCalls } from './checks/checks.ts'
import { createPollLoop } from './poll-loop.ts'
import { createPulls } from './pulls/pulls.ts'
import { createPruning } from './retention/pruning.ts'
import { finishJobs, runNextJob } from './run-job.ts'
import { createDeliveries } from './webhooks/deliveries.ts'

const longestSleep = 60_000
/** How soon this process sees due rows that another process wrote before it died. */
const longestSleepBesideOthers = 1000
/** How many jobs of one client run before those of the next client. */
const jobsInARow = 20
/** The pause after a poll of all endpoints equals the duration of that poll. */
const restBetweenPolls = 1

export function createRunner(service: Service): Runner {
  const abandoned = new AbortController()
  const guard = service.clockGuard
  const pruning = createPruning(service, guard)
  const { log, database } = service
  const longestSleepMs = database.shared ? longestSleepBesideOthers : longestSleep
  const isProduction = service.settings.environment === 'production'
  let stopped = false

  const deliveries = createDeliveries(service, {
    onEnd: pruning.note,
    onRoom: () => posts.wake(),
  })

  async function pollDeliveries(): Promise<number> {
    // With a wrong clock webhooks would end too early, and jobs would write wrong dates.
    if (!guard.isRight()) return longestSleepMs
    const now = service.clock()
    await deliveries.begin()
    return untilDue(now, findNextDelivery)
  }

  async function pollJobs(): Promise<number> {
    if (!guard.isRight()) return longestSleepMs
    for (;;) {
      const now = service.clock()
      const clients = stopped ? [] : await listDueClients(database.single, now)
      let done = 0
      for (const clientId of clients) if (!queue.has(clientId)) done += await runSome(clientId)
      if (done === 0) return untilDue(now, findNextDue)
    }
  }

  /** Runs jobs of a client and returns how many. One waits if other work of the client is running. */
  async function runSome(clientId: string): Promise<number> {
    let done = 0
    while (!stopped && done < jobsInARow) {
      const ending = await runNextJob(service, clientId, { wait: false })
      if (ending === 'elsewhere') queue.add(clientId)
      if (ending !== 'done') break
      done += 1
      posts.wake()
    }
    return done
  }

  /**
   * How long until the next row is due. Rows that are due already belong to another process, or
   * wait for a limit.
   */
  async function untilDue(now: number, find: typeof findNextDue): Promise<number> {
    const due = await database.read((db) => find(db, now))
    return due === null ? longestSleepMs : due - service.clock()
  }

  const queue = createBusyClients({
    run: (clientId) => runNextJob(service, clientId),
    onEnd() {
      jobs.wake()
      posts.wake()
    },
    log,
  })
  const jobs = createPollLoop({ poll: pollJobs, restShare: 0, longestSleepMs, log })
  const posts = createPollLoop({
    poll: pollDeliveries,
    restShare: restBetweenPolls,
    longestSleepMs,
    log,
  })

  const pulls = createPulls(service)
  const checks = createCheckCalls(service)

  function wake(urls: Iterable<string> = []): void {
    if (guard.isRight()) deliveries.beginAt(urls)
    jobs.wake()
    posts.wake()
    // A sandbox has nothing to read: its data is generated.
    if (isProduction) pulls.wake()
    if (isProduction) checks.wake()
  }

  async function runDue(clientId: string): Promise<void> {
    await finishJobs(service, clientId, abandoned.signal)
    if (isProduction) await checks.finish()
    await deliveries.finish(clientId)
    // More jobs may have become due during the deliveries.
    await finishJobs(service, clientId, abandoned.signal)
    wake()
  }

  return {
    wake,
    runDue,
    pull: (client_id, item_id) => pulls.pull({ client_id, item_id }),
    async finish() {
      const clients = await listClientsWithWork(database.single, service.clock())
      await Promise.all(clients.map(({ client_id }) => runDue(client_id)))
    },
    async stop(graceMs) {
      stopped = true
      await Promise.all([jobs.stop(), posts.stop(), pruning.stop(), pulls.stop(), checks.stop()])
      await queue.stop()
      await deliveries.stop(graceMs)
    },
    abandon: () => abandoned.abort(),
  }
}
