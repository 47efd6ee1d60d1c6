import type { ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import {
  addressOf,
  end,
  type Launch,
  launch,
  type ServiceProcess,
  toServiceProcess,
} from '../../support/service-process.ts'

/** How a service on trial is run. */
export type Trial = Pick<Launch, 'environment' | 'wrapper' | 'preload'>

/** A service in a process of its own that may die at any moment, also before it listens. */
export interface TrialService extends ServiceProcess {
  child: ChildProcess
  /** Everything that it wrote to its standard error so far. */
  errors(): string
}

/** What a start ended with that came to nothing. */
export interface StartError {
  code: number | null
  errors: string
}

/** Begins to start a service: the process is there, and maybe soon its address. */
export function launchTrial(trial: Trial) {
  const { child, errors } = launch({ ...trial, messages: true })
  return { child, errors, address: addressOf(child) }
}

/** Starts a service; fails with what it said when it does not listen. */
export async function startTrial(trial: Trial): Promise<TrialService> {
  const { child, errors, address } = launchTrial(trial)
  const url = await address
  if (url === undefined) {
    await end(child, 'SIGKILL')
    throw new Error(`the service did not start: ${errors()}`)
  }
  return { ...toServiceProcess(child, url), child, errors }
}

/** Starts a service that must fail at startup; throws when it listens. */
export async function errorOf(trial: Trial): Promise<StartError> {
  const { child, errors, address } = launchTrial(trial)
  const url = await address
  if (url !== undefined) {
    await end(child, 'SIGKILL')
    throw new Error(`the service has started at ${url}`)
  }
  if (child.exitCode === null) await once(child, 'exit')
  return { code: child.exitCode, errors: errors() }
}

/** The process that a tracer runs: a signal to the tracer alone would let it go on. */
export function childOf(pid: number): number {
  const children = readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8')
  return Number(children.split(' ')[0])
}
