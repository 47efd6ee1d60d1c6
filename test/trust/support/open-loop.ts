import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { root } from '../../../scripts/contract/contract.ts'
import type { Plan, Sent } from './open-loop-client.ts'

export interface Call {
  path: string
  body: object
}

/** Sends calls from a process of its own, and returns what came back. */
export async function sendCalls(url: string, calls: readonly Call[], plan: Plan): Promise<Sent> {
  const client = join(root, 'test/trust/support/open-loop-client.ts')
  const { stdout } = await promisify(execFile)(
    process.execPath,
    [client, url, JSON.stringify(calls), JSON.stringify(plan)],
    { maxBuffer: 1 << 28 },
  )
  return JSON.parse(stdout) as Sent
}

/** The value below which a share of the values is; 0 of none. */
export function percentile(values: readonly number[], share: number): number {
  const sorted = [...values].sort((one, other) => one - other)
  const place = Math.min(sorted.length - 1, Math.floor(sorted.length * share))
  return Math.round((sorted[place] ?? 0) * 10) / 10
}
