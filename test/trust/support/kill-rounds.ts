import { setTimeout as sleep } from 'node:timers/promises'
import type { Receiver } from '../../support/receiver.ts'
import type { ServiceProcess } from '../../support/service-process.ts'
import { end } from '../../support/service-process.ts'
import { createRandom } from './random.ts'
import { progress } from './report.ts'
import { findHalfWrites, findLost, findUndelivered } from './trial-checks.ts'
import { prepareGround } from './trial-ground.ts'
import { type Ledger, newLedger } from './trial-ledger.ts'
import { startTrialLoad } from './trial-load.ts'
import { launchTrial, startTrial, type Trial } from './trial-service.ts'
import type { TrialStore } from './trial-store.ts'

/** What came of killing a service again and again. */
export interface KillOutcome {
  kills: number
  /** Of these, how many while it was starting. */
  kills_while_starting: number
  acknowledged: number
  unanswered: number
  lost: string[]
  torn: string[]
  surprises: string[]
  events: number
  arrived: number
  undelivered: string[]
  /** From its start to its address, the longest. */
  slowest_restart_ms: number
}

// A round ends after so many answers and so long at most, however slow the machine is.
const mostAnswers = 120
const longestPauseMs = 30
const longestStartMs = 500
const shareOfStarts = 6

/** Kills a service at moments by chance while everything is written, and looks after each kill. */
export async function killAgainAndAgain(
  store: TrialStore,
  receiver: Receiver,
  kills: number,
): Promise<KillOutcome> {
  const trial = { environment: { ...store.environment, REPORT_DELAY_MS: '100' } }
  const random = createRandom(Object.keys(store.environment).join())
  const ledger = newLedger()
  let service = await startTrial(trial)
  const ground = await prepareGround(service.post, receiver.url)
  const load = startTrialLoad(ground, ledger)
  const found = { lost: [] as string[], torn: [] as string[] }
  let [whileStarting, slowest] = [0, 0]
  try {
    for (let kill = 1; kill <= kills; kill += 1) {
      const before = entries(ledger)
      load.use(service.post)
      await load.answers(random.between(0, mostAnswers))
      await sleep(random.between(0, longestPauseMs))
      await service.kill()
      load.use(undefined)
      if (kill < kills && random.between(1, shareOfStarts) === 1) {
        await killWhileStarting(trial, random.between(0, longestStartMs))
        kill += 1
        whileStarting += 1
      }
      await store.look(async (all) => {
        found.lost.push(...(await findLost(all, ledger, ground)))
        found.torn.push(...(await findHalfWrites(all, ground)))
      })
      const begun = performance.now()
      service = await startTrial(trial)
      slowest = Math.max(slowest, Math.round(performance.now() - begun))
      found.lost.push(...(await askFor(service, ledger, before)))
      progress(`${kill} of ${kills} kills, ${load.counts().answered} writes answered`)
    }
    await load.stop()
    await settle(store, service)
    await service.stop()
    await store.look(async (all) => {
      found.lost.push(...(await findLost(all, ledger, ground)))
      found.torn.push(...(await findHalfWrites(all, ground)))
    })
    return {
      kills,
      kills_while_starting: whileStarting,
      acknowledged: load.counts().answered,
      unanswered: load.counts().unanswered,
      surprises: load.surprises,
      slowest_restart_ms: slowest,
      ...found,
      ...(await lookAtEvents(store, receiver)),
    }
  } finally {
    load.use(undefined)
    await load.stop()
    await service.kill()
  }
}

const lookAtEvents = (store: TrialStore, { received }: Receiver) =>
  store.look(async (all) => ({
    events: (await all("select 1 from webhook_deliveries where url like 'http://127%'")).length,
    arrived: received.length,
    undelivered: await findUndelivered(all, received),
  }))

async function killWhileStarting(trial: Trial, afterMs: number): Promise<void> {
  const { child } = launchTrial(trial)
  await sleep(afterMs)
  await end(child, 'SIGKILL')
}

const entries = ({ wallets, reports, refreshTokens, items }: Ledger) => ({
  wallets: wallets.size,
  reports: reports.size,
  refreshTokens: refreshTokens.size,
  items: items.size,
})

type Entries = ReturnType<typeof entries>

/** Asks the service itself for what was acknowledged since; what it does not know. */
async function askFor(
  { post }: ServiceProcess,
  ledger: Ledger,
  before: Entries,
): Promise<string[]> {
  const calls = [
    ...[...ledger.wallets]
      .slice(before.wallets)
      .map((wallet_id) => ['/wallet/get', { wallet_id }] as const),
    ...[...ledger.reports.values()]
      .slice(before.reports)
      .map((asset_report_token) => ['/asset_report/get', { asset_report_token }] as const),
    ...[...ledger.refreshTokens]
      .slice(before.refreshTokens)
      .map(
        (refresh_token) =>
          ['/oauth/token', { grant_type: 'refresh_token', refresh_token }] as const,
      ),
    ...[...ledger.items.values()]
      .slice(before.items)
      .map((access_token) => ['/accounts/get', { access_token }] as const),
  ]
  const answers = await Promise.all(
    calls.map(async ([path, body]) => ({ path, ...(await post(path, body)) })),
  )
  return answers
    .filter(({ status, body }) => status !== 200 && body['error_code'] !== 'PRODUCT_NOT_READY')
    .map(({ path, status, body }) => `${path} ${status} ${JSON.stringify(body)}`)
}

const settleMs = 180_000

/** Waits until everything that was planned is done, and everything that was written is delivered. */
async function settle(store: TrialStore, { post }: ServiceProcess): Promise<void> {
  const begun = Date.now()
  for (;;) {
    await store.endClaims()
    // Does everything that is due before it answers, or has no answer as long as a claim is in its way.
    await post('/sandbox/clock/advance', { seconds: 60 }).catch(() => undefined)
    if ((await isSettled(post)) || Date.now() - begun > settleMs) return
  }
}

async function isSettled(post: ServiceProcess['post']): Promise<boolean> {
  const { body } = await post('/sandbox/webhook/list', { count: 500 })
  const webhooks = body['webhooks'] as { status: string }[]
  return webhooks.every(({ status }) => status !== 'pending')
}
