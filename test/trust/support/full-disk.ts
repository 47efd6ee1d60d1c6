import { setTimeout as sleep } from 'node:timers/promises'
import type { Receiver } from '../../support/receiver.ts'
import { findHalfWrites, findLost, findUndelivered } from './trial-checks.ts'
import { prepareGround } from './trial-ground.ts'
import { newLedger } from './trial-ledger.ts'
import { startTrialLoad } from './trial-load.ts'
import type { TrialService } from './trial-service.ts'
import type { TrialStore } from './trial-store.ts'

/** What came of a disk that could not be written for a while, again and again. */
export interface FullOutcome {
  rounds: number
  acknowledged: number
  /** Writes that were answered 503. */
  refused: number
  reads_meanwhile: number
  /** From the moment that there was room again to the first write that succeeded, the longest. */
  slowest_recovery_ms: number
  /** From the last write until `/readyz` says that writes succeed. */
  told_recovery_ms: number
  lost: string[]
  torn: string[]
  undelivered: string[]
  surprises: string[]
  /** Errors that are not as the contract says, and reads that failed. */
  wrong: string[]
}

/** Lets a service write until it cannot, and looks whether all comes back by itself. */
export async function fillAgainAndAgain(
  { store, service, receiver }: { store: TrialStore; service: TrialService; receiver: Receiver },
  disk: { fill(): void; free(): void },
  rounds: number,
): Promise<FullOutcome> {
  const ground = await prepareGround(service.post, receiver.url)
  const ledger = newLedger()
  const load = startTrialLoad(ground, ledger, [503])
  const outcome = { reads_meanwhile: 0, slowest_recovery_ms: 0, wrong: [] as string[] }
  load.use(service.post)
  for (let round = 1; round <= rounds; round += 1) {
    await load.answers(20)
    disk.fill()
    await refusals(load, 30)
    outcome.wrong.push(...(await findWrong(service)))
    outcome.wrong.push(...(await findUntold(service)))
    outcome.reads_meanwhile += await readWhileFull(service, ground.walletId, outcome.wrong)
    const freed = performance.now()
    disk.free()
    await load.answers(1)
    const took = Math.round(performance.now() - freed)
    outcome.slowest_recovery_ms = Math.max(outcome.slowest_recovery_ms, took)
  }
  await load.answers(20)
  await load.stop()
  const recovered = await untilTold(service)
  await service.post('/sandbox/clock/advance', { seconds: 120 })
  await service.stop()
  return store.look(async (all) => ({
    ...outcome,
    rounds,
    told_recovery_ms: recovered,
    acknowledged: load.counts().answered,
    refused: load.counts().refused,
    surprises: load.surprises,
    lost: await findLost(all, ledger, ground),
    torn: await findHalfWrites(all, ground),
    undelivered: await findUndelivered(all, receiver.received),
  }))
}

type Load = ReturnType<typeof startTrialLoad>

async function refusals(load: Load, more: number): Promise<void> {
  for (const enough = load.counts().refused + more; load.counts().refused < enough; ) await sleep(5)
}

/** An error has the form of the contract, and says when to come again. */
async function findWrong({ post }: TrialService): Promise<string[]> {
  const { status, body, headers } = await post('/wallet/create', { iso_currency_code: 'EUR' })
  if (status === 200) return []
  const isRight =
    status === 503 &&
    body['error_code'] === 'PLANNED_MAINTENANCE' &&
    Number(headers.get('retry-after')) > 0
  return isRight ? [] : [`refused by ${status} ${JSON.stringify(body)}`]
}

const readinessOf = async ({ url }: TrialService) => {
  const response = await fetch(`${url}/readyz`)
  const { checks } = (await response.json()) as { checks: { writes: string } }
  return { status: response.status, writes: checks.writes }
}

/** The readiness check reports it but stays ready, since reads are answered. */
async function findUntold(service: TrialService): Promise<string[]> {
  const { status, writes } = await readinessOf(service)
  const isTold = status === 200 && writes.startsWith('refused: ')
  return isTold ? [] : [`/readyz ${status}, writes ${writes}`]
}

async function untilTold(service: TrialService): Promise<number> {
  const begun = performance.now()
  while ((await readinessOf(service)).writes !== 'ok') await sleep(100)
  return Math.round(performance.now() - begun)
}

async function readWhileFull(
  { post }: TrialService,
  wallet_id: string,
  wrong: string[],
): Promise<number> {
  const reads = 20
  for (let count = 0; count < reads; count += 1) {
    const { status, body } = await post('/wallet/get', { wallet_id })
    if (status !== 200) wrong.push(`read ${status} ${JSON.stringify(body)}`)
  }
  return reads
}
