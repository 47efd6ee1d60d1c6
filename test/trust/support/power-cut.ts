import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Receiver } from '../../support/receiver.ts'
import { end } from '../../support/service-process.ts'
import { createDisk, type Disk, type Survivors } from './disk-model.ts'
import { createRandom } from './random.ts'
import { readCalls, type SystemCall, stringsIn, targetOf, traceInto } from './system-calls.ts'
import { findHalfWrites, findLost } from './trial-checks.ts'
import { type Ground, prepareGround } from './trial-ground.ts'
import { type Ledger, newLedger } from './trial-ledger.ts'
import { startTrialLoad, type TrialLoad } from './trial-load.ts'
import { childOf, startTrial, type TrialService } from './trial-service.ts'
import { createFolder, lookAtCopy } from './trial-store.ts'

/** A service that was traced from its first start to its sudden end. */
export interface Traced {
  file: string
  folder: string
  ground: Ground
  answered: number
  remove(): Promise<void>
}

/** Runs a service under the tracer until it has answered so many writes. */
export async function traceService(
  receiver: Receiver,
  answers: number,
  preload: readonly string[] = [],
): Promise<Traced> {
  const store = createFolder()
  const file = join(store.folder, '../trace')
  const tell = join(import.meta.dirname, 'tell-durability.ts')
  const environment = { ...store.environment, REPORT_DELAY_MS: '50' }
  const service = await startTrial({
    environment,
    preload: [...preload, tell],
    wrapper: traceInto(file),
  })
  let load: TrialLoad | undefined
  try {
    const ground = await prepareGround(service.post, receiver.url)
    load = startTrialLoad(ground, newLedger())
    load.use(service.post)
    await load.answers(answers)
    await killTraced(service)
    const { answered } = load.counts()
    return { file, folder: store.folder, ground, answered, remove: store.remove }
  } catch (error) {
    await killTraced(service)
    await store.remove()
    throw error
  } finally {
    load?.use(undefined)
    await load?.stop()
  }
}

/** Ends a traced service, and waits until the tracer has written its last call. */
async function killTraced({ child }: TrialService): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return
  process.kill(childOf(child.pid as number), 'SIGKILL')
  await end(child, 'SIGCONT')
}

/** What the trace shows, and what is left of the data after cuts at many moments. */
interface CutOutcome {
  answers: number
  webhooks: number
  /** Answers and webhooks that left while a change was not on the disk. */
  too_early: string[]
  cuts: number
  cuts_before_the_first_answer: number
  lost: string[]
  torn: string[]
  /** Folders on which a service was started again. */
  started: number
  refused: string[]
}

interface Cutting {
  traced: Traced
  disk: Disk
  ledger: Ledger
  outcome: CutOutcome
  random: ReturnType<typeof createRandom>
}

/** Replays a trace, and cuts the power again and again. */
export async function cutPower(
  traced: Traced,
  { cuts, starts }: { cuts: number; starts: number },
): Promise<CutOutcome> {
  const outcome: CutOutcome = {
    answers: 0,
    webhooks: 0,
    too_early: [],
    cuts: 0,
    cuts_before_the_first_answer: 0,
    lost: [],
    torn: [],
    started: 0,
    refused: [],
  }
  const random = createRandom('power')
  const disk = createDisk(traced.folder)
  const cutting = { traced, disk, ledger: newLedger(), outcome, random }
  const changes = await countChanges(traced)
  for await (const call of readCalls(traced.file)) {
    noteSent(cutting, call)
    disk.apply(call)
    if (!isChange(traced, call)) continue
    // The first start writes more than everything that follows, and most of it in one transaction.
    const [calls, share] = outcome.answers === 0 ? [changes.before, 0.2] : [changes.after, 0.8]
    if (random.next() * calls > cuts * share) continue
    await cutOnce(cutting, random.next() * cuts < starts)
  }
  return outcome
}

const isChange = ({ folder }: Traced, call: SystemCall): boolean =>
  /^(pwrite|write|fsync|ftruncate)/.test(call.name) &&
  (targetOf(call).startsWith(folder) || targetOf(call).startsWith('TCP'))

/** How many calls change files, or send something, before the first answer and after it. */
async function countChanges(traced: Traced): Promise<{ before: number; after: number }> {
  let [before, after] = [0, 0]
  for await (const call of readCalls(traced.file)) {
    if (!isChange(traced, call)) continue
    if (after > 0 || isAnswer(call)) after += 1
    else before += 1
  }
  return { before, after }
}

const isAnswer = (call: SystemCall): boolean =>
  targetOf(call).startsWith('TCP') && call.args.includes('"HTTP/1.1 200')

/** Enters what has left the process, and whether it was too early. */
function noteSent({ disk, ledger, outcome, traced }: Cutting, call: SystemCall): void {
  if (!/^(write|send)/.test(call.name) || !targetOf(call).startsWith('TCP')) return
  const text = String(Buffer.concat(stringsIn(call)))
  const answers = isAnswer(call)
  if (!answers && !text.startsWith('POST ')) return
  if (answers) outcome.answers += 1
  else outcome.webhooks += 1
  const unsynced = disk.unsyncedCommits()
  if (unsynced.length > 0) {
    outcome.too_early.push(`${text.slice(0, 12)} ${outcome.answers}: ${unsynced.join(', ')}`)
  }
  if (answers) enterAnswer(ledger, traced.ground, text.slice(text.indexOf('\r\n\r\n') + 4))
}

/** What a client received: each kind of answer of the load has a field of its own. */
function enterAnswer(ledger: Ledger, ground: Ground, text: string): void {
  const body = JSON.parse(text) as Record<string, unknown>
  const { wallet_id, user_id, transaction_ids, asset_report_id, bank_transfer_id } = body
  if (typeof user_id === 'string') ledger.users.add(user_id)
  if (typeof asset_report_id === 'string') ledger.reports.set(asset_report_id, '')
  if (typeof bank_transfer_id === 'string') ledger.bankTransfers.add(bank_transfer_id)
  for (const id of (transaction_ids as string[] | undefined) ?? []) ledger.transactions.add(id)
  if ('refund' in body) ledger.refunds.add((body['refund'] as { id: string }).id)
  if ('webhook_fired' in body) ledger.fired.answered += 1
  if (typeof wallet_id !== 'string') return
  ledger.wallets.add(wallet_id)
  const { current = 0 } = body['balance'] as { current?: number }
  if (wallet_id === ground.walletId)
    ledger.moved.answered = Math.max(ledger.moved.answered, current)
}

async function cutOnce(cutting: Cutting, starts: boolean): Promise<void> {
  const { disk, ledger, outcome, random, traced } = cutting
  const kind: Survivors = (['none', 'some', 'some', 'all'] as const)[random.between(0, 3)] ?? 'none'
  const top = mkdtempSync(join(tmpdir(), 'trial-cut-'))
  const data = join(top, 'data')
  try {
    disk.cut(data, kind, random)
    outcome.cuts += 1
    // Before the first response no client knows anything: it must only start.
    if (outcome.answers === 0) outcome.cuts_before_the_first_answer += 1
    else await look(data, cutting)
    if (starts || outcome.answers === 0) await startOn(data, outcome)
  } catch (error) {
    outcome.lost.push(`${kind} at the answer ${outcome.answers}: ${String(error)}`)
  } finally {
    rmSync(top, { recursive: true })
  }
  // A ledger without anything would find nothing.
  if (outcome.answers > 100 && ledger.wallets.size === 0)
    throw new Error(`${traced.file} is strange`)
}

async function look(data: string, { ledger, outcome, traced }: Cutting): Promise<void> {
  ledger.moved.asked = Number.POSITIVE_INFINITY
  const { ground } = traced
  const hasGround = ledger.wallets.has(ground.walletId)
  await lookAtCopy(join(data, 'service.sqlite'), async (all) => {
    if (hasGround) outcome.lost.push(...(await findLost(all, ledger, ground)))
    outcome.torn.push(...(await findHalfWrites(all, ground)))
  })
}

async function startOn(data: string, outcome: CutOutcome): Promise<void> {
  outcome.started += 1
  try {
    const service = await startTrial({ environment: { DATA_DIR: data } })
    const { status } = await service.post('/wallet/list', {}).finally(service.kill)
    if (status !== 200) outcome.refused.push(`answered ${status}`)
  } catch (error) {
    outcome.refused.push(String(error))
  }
  await sleep(0)
}
