import { once } from 'node:events'
import { join } from 'node:path'
import { root } from '../contract/contract.ts'
import { spawnChild, stopChild } from './processes.ts'
import type { Load, Sent } from './send.ts'

/** Sends load from a process of its own, so that its work is none of the servers'. */
export interface LoadGenerator {
  send(load: Load): Promise<Sent>
  stop(): Promise<void>
}

export function startLoadGenerator(): LoadGenerator {
  const child = spawnChild([join(root, 'scripts/bench/send.ts')], {
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
  })
  const ended = once(child, 'exit').then(() => {
    throw new Error('the load generator has ended')
  })
  ended.catch(() => {})
  return {
    async send(load) {
      child.send(load)
      const [sent] = await Promise.race([once(child, 'message'), ended])
      return sent as Sent
    },
    stop: () => stopChild(child, 'SIGKILL'),
  }
}

/** A server with any status but 200, or without a response, was not measured. */
export function requireSuccess(what: string, { statuses, failed, errors }: Sent): void {
  const { 200: succeeded = 0, ...others } = statuses
  const failures = Object.entries(others).map(([status, count]) => `${count} × ${status}`)
  if (failed > 0) failures.push(`${failed} without response (${errors.join(', ')})`)
  if (failures.length > 0) {
    throw new Error(`${what}: ${failures.join(', ')}, beside ${succeeded} × 200`)
  }
}
