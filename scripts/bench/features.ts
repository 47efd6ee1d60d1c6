import { createReadStream } from 'node:fs'
import { createInterface } from 'node:readline'
import { setTimeout as sleep } from 'node:timers/promises'
import { operations } from '#contract/operations.ts'
import { readyAccessToken } from '../../src/server/clients/well-known-clients.ts'
import { askAt } from './cases.ts'
import type { ServiceProgram } from './service.ts'

const settleMs = 400
const patienceMs = 10_000
const asked = 20

/**
 * A service is measured only with everything on that can be switched off and that costs time in
 * production. Credentials, validation, versions and encryption have no switch.
 */
export async function requireFeatures(service: ServiceProgram): Promise<void> {
  const ask = askAt(service.url)
  const { path } = operations.accountsGet
  require('durability', /at risk/.test(service.greeting), false)
  require('metrics', service.metrics === '', false)
  // Lines are written a moment after their requests.
  await sleep(settleMs)
  const before = await countRequests(service)
  for (let made = 0; made < asked; made += 1) {
    await ask(path, { access_token: readyAccessToken })
  }
  await sleep(settleMs)
  const after = await countRequests(service)
  require('log', after.lines - before.lines, asked)
  require('metrics', after.counted - before.counted, asked)
  const { requests } = await ask<{ requests: { path: string }[] }>('/sandbox/request/list', {
    count: asked,
  })
  const noted = requests.filter((one) => one.path === path)
  require('request log', noted.length, asked)
}

function require<Value>(what: string, found: Value, wanted: Value): void {
  if (found !== wanted) throw new Error(`not everything is on: ${what} (${found})`)
}

/** How many requests the log and the metrics have so far. */
async function countRequests({ log, metrics }: ServiceProgram) {
  let lines = 0
  for await (const line of createInterface({ input: createReadStream(log) })) {
    if (line.includes('"msg":"request"')) lines += 1
  }
  const text = await (await fetch(metrics)).text()
  const values = [...text.matchAll(/^fds_requests_total\{.*\} (\d+)$/gm)]
  return { lines, counted: values.reduce((sum, [, value]) => sum + Number(value), 0) }
}

/** A log that dropped lines under load cost less than it should. */
export async function requireEveryLine(programs: readonly ServiceProgram[]): Promise<void> {
  for (const program of programs) {
    const end = performance.now() + patienceMs
    let found = await countRequests(program)
    // The service may still work on requests whose senders have ended.
    while (found.lines !== found.counted && performance.now() < end) {
      await sleep(settleMs)
      found = await countRequests(program)
    }
    require('log', found.lines, found.counted)
  }
}
