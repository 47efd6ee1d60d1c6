import { once } from 'node:events'
import { join } from 'node:path'
import { root } from '../contract/contract.ts'
import type { Paced, PacedResult } from './open-loop.ts'
import { spawnChild, stopChild } from './processes.ts'

/** One request as it is sent. */
export interface Sending {
  path: string
  headers: Record<string, string>
  /** Text, in which `[<id>]` stands for something else each time. */
  body: string
}

/** What many connections send, each the next one as soon as it has an answer. */
export interface Load {
  urls: readonly string[]
  connections: number
  seconds: number
  requests: readonly Sending[]
}

export interface Loaded {
  answered: number
  sent: number
  seconds: number
  statuses: Record<string, number>
  /** Connections that were broken or had no answer. */
  failed: number
  /** What they were broken by. */
  errors: string[]
  bytes: number
  /** In ms. */
  p50: number
  p99: number
  /** CPU seconds of who sent it. */
  cpu: number
}

export interface LoadGenerator {
  run(load: Load): Promise<Loaded>
  /** Sends at a rate that no answer changes. */
  pace(paced: Paced): Promise<PacedResult>
  stop(): Promise<void>
}

/** The process that sends all load, one after the other. */
export function startLoadGenerator(): LoadGenerator {
  const child = spawnChild([join(root, 'scripts/bench/load-client.ts')], {
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
  })
  const died = once(child, 'exit').then(() => {
    throw new Error('the load generator has ended')
  })
  died.catch(() => {})
  const send = async <Result>(what: Load | Paced): Promise<Result> => {
    const answer = once(child, 'message')
    child.send(what)
    const [result] = await Promise.race([answer, died])
    return result as Result
  }
  return {
    run: (load) => send<Loaded>(load),
    pace: (paced) => send<PacedResult>(paced),
    stop: () => stopChild(child, 'SIGKILL'),
  }
}
