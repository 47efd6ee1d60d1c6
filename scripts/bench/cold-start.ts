import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { cases, requestsOf } from './cases.ts'
import { readMemory } from './cpu.ts'
import type { Memory } from './figures.ts'
import { compare, compareSpread, type Level } from './levels.ts'
import { requireSuccess } from './load.ts'
import { type Program, startProgram } from './processes.ts'
import { send } from './send.ts'
import { isService } from './server-names.ts'
import { launchOf } from './service.ts'
import { median, type Spread, spreadOf } from './statistics.ts'

/** From the start of a process to its first response, in ms; medians. */
export interface ColdStart {
  /** An empty server of node:http. */
  empty: number
  /** This service, on a folder that it has filled before. */
  service: number
  /** The same on an empty folder, which gets the seed data. */
  first: number
  times: number
  /** The service over the mean of an empty server's starts before and after it. */
  ofEmpty?: Spread
}

interface Parts {
  dist: string
  folder: string
}

function launch({ dist, folder }: Parts, name: string): Promise<Program> {
  const { args, env } = launchOf({ dist, folder: join(folder, name) })
  return startProgram(args, { env })
}

export async function measureColdStart(
  parts: Parts,
  times: number,
  tell: (line: string) => void,
): Promise<ColdStart> {
  const found: Record<'empty' | 'service' | 'first', number[]> = {
    empty: [],
    service: [],
    first: [],
  }
  for (let time = 0; time < Math.max(1, Math.round(times / 5)); time += 1) {
    found.first.push(await timeTo(() => launch(parts, `first-${time}`)))
  }
  const startEmpty = () => startProgram([join(import.meta.dirname, 'servers/empty.js')])
  found.empty.push(await timeTo(startEmpty))
  for (let time = 0; time < times; time += 1) {
    tell(`cold start ${time + 1} of ${times}`)
    found.service.push(await timeTo(() => launch(parts, 'first-0')))
    found.empty.push(await timeTo(startEmpty))
  }
  const { empty, service, first } = found
  const ratios = service.map((took, time) => {
    const [before = NaN, after = NaN] = empty.slice(time)
    return took / ((before + after) / 2)
  })
  const ofEmpty = spreadOf(ratios)
  return { empty: median(empty), service: median(service), first: median(first), times, ofEmpty }
}

/** The time of a start and of one request. */
async function timeTo(start: () => Promise<Program>): Promise<number> {
  const [{ path, bodies }] = cases as [(typeof cases)[number]]
  const requests = requestsOf(path, await bodies(undefined)).slice(-1)
  const begun = performance.now()
  const program = await start()
  const load = { urls: [program.url], requests, connections: 1, seconds: 10, most: 1 }
  const sent = await send(load)
  const took = performance.now() - begun
  await program.stop()
  requireSuccess('the first request', sent)
  return took
}

/**
 * Resident memory in MB some time after the start with the seed data, without requests: of the first
 * start, which loads that data, and of the second one on the same folder.
 */
export async function measureIdle(parts: Parts, seconds: number): Promise<Partial<Memory>> {
  const once = async () => {
    const program = await launch(parts, 'idle')
    await sleep(seconds * 1000)
    const memory = readMemory(program.pid)
    await program.stop()
    return memory
  }
  const [idleFirst, idle] = [await once(), await once()]
  return idleFirst === undefined || idle === undefined ? {} : { idleFirst, idle }
}

const [mostTimesEmpty, mostFirstMs] = [2.3, 500]
/** MB of a service after the load of the benchmark. */
export const mostLoaded = 220
const [mostIdle, mostRested] = [85, 250]

export const coldStartLevels = ({ ofEmpty, first }: ColdStart): Level[] => [
  ...compareSpread('cold start, × an empty server', ofEmpty, {
    first: mostTimesEmpty,
    atMost: true,
  }),
  ...compare('the first start, ms', first, 1, { first: mostFirstMs, atMost: true }),
]

export const memoryLevels = ({ idle, servers }: Memory): Level[] => [
  ...compare('idle memory, MB', idle, 1, { first: mostIdle, atMost: true }),
  ...servers
    .filter(({ server }) => isService(server))
    .flatMap(({ server, loaded, rested }) => [
      ...compare(`memory of ${server} after load, MB`, loaded, 1, {
        first: mostLoaded,
        atMost: true,
      }),
      ...compare(`memory of ${server} when idle after load, MB`, rested, 1, {
        first: mostRested,
        atMost: true,
      }),
    ]),
]
