import { setTimeout as sleep } from 'node:timers/promises'
import type { ClockGuard } from '../../kernel/clock-guard.ts'
import type { Service } from '../../kernel/service.ts'
import { pruneClient } from './prune.ts'
import { listClientsAfter } from './store.ts'

/** Deletes old rows in the background. */
interface Pruning {
  /** Counts a webhook that ended. A client with many is pruned before the next hourly sweep. */
  note(clientId: string): void
  stop(): Promise<void>
}

const sweepEveryMs = 3_600_000
const firstSweepMs = 60_000
const manyWebhooks = 200
/** Pruning takes at most a fifth of the time, so that requests can use the database. */
const restShare = 4
const shortestRestMs = 2

export function createPruning(service: Service, guard: ClockGuard): Pruning {
  const stopping = new AbortController()
  const { signal } = stopping
  const ended = new Map<string, number>()
  const waiting = new Set<string>()
  let working: Promise<void> | undefined
  let timer: NodeJS.Timeout | undefined

  async function rest(tookMs: number): Promise<'go on' | 'end'> {
    await sleep(Math.max(shortestRestMs, tookMs * restShare), undefined, { signal }).catch(() => {})
    return signal.aborted ? 'end' : 'go on'
  }

  async function work(): Promise<void> {
    for (const clientId of waiting) {
      waiting.delete(clientId)
      if (!signal.aborted && guard.isRight()) await pruneClient(service, clientId, rest)
    }
  }

  function begin(): void {
    working ??= work()
      .catch((error) => service.log.error(error, 'old rows could not be removed'))
      .finally(() => {
        working = undefined
      })
  }

  /** Queues all clients, in batches. */
  async function sweep(): Promise<void> {
    for (let last = ''; !signal.aborted; ) {
      const clients = await service.database.read((db) => listClientsAfter(db, last))
      if (clients.length === 0) return
      for (const { client_id } of clients) waiting.add(client_id)
      last = clients.at(-1)?.client_id ?? ''
      begin()
      await working
    }
  }

  function plan(afterMs: number): void {
    if (signal.aborted) return
    timer = setTimeout(() => {
      sweeping = sweep()
        .catch((error) => service.log.error(error, 'clients could not be listed'))
        .finally(() => plan(sweepEveryMs))
    }, afterMs)
    timer.unref()
  }
  let sweeping: Promise<void> | undefined
  plan(firstSweepMs)

  return {
    note(clientId) {
      const count = (ended.get(clientId) ?? 0) + 1
      ended.set(clientId, count % manyWebhooks)
      if (count < manyWebhooks || signal.aborted) return
      waiting.add(clientId)
      begin()
    },
    async stop() {
      stopping.abort()
      clearTimeout(timer)
      await Promise.all([working, sweeping])
    },
  }
}
