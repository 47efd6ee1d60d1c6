import { Agent, request } from 'node:http'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { operations } from '#contract/operations.ts'
import { versions } from '../contract/contract.ts'
import { cases, headersFor } from './cases.ts'
import { readMemory } from './cpu.ts'
import type { Memory } from './figures.ts'
import { compare, type Level } from './levels.ts'
import { type Program, startProgram } from './processes.ts'
import { isService } from './server-names.ts'
import { dataOf, mainOf } from './service.ts'
import { median } from './statistics.ts'

/** From the start of a process to its first answer, in ms; medians. */
export interface ColdStart {
  /** An empty server of node:http. */
  empty: number
  /** This service, on a folder that it has filled before. */
  service: number
  /** The same on an empty folder, which gets the default world. */
  first: number
  times: number
}

const empty = join(import.meta.dirname, 'servers/empty.js')
const path = operations.walletGet.path

/** Everything that is on when it is measured under load, too. */
const environment = { LOG_LEVEL: 'info', METRICS_PORT: '0' }

interface Place {
  dist: string
  folder: string
}

const launch = ({ dist, folder }: Place): Promise<Program> =>
  startProgram([mainOf(dist), '--port', '0'], {
    env: { ...dataOf({ dist, folder, name: '' }), ...environment },
  })

export async function measureColdStart(
  { dist, folder: parent }: Place,
  times: number,
  tell: (line: string) => void,
): Promise<ColdStart> {
  const folder = join(parent, 'cold')
  const found = { empty: [] as number[], service: [] as number[], first: [] as number[] }
  for (let time = 0; time < Math.max(1, Math.round(times / 5)); time += 1) {
    const place = { dist, folder: time === 0 ? folder : join(parent, `first-${time}`) }
    found.first.push(await timeTo(() => launch(place)))
  }
  for (let time = 0; time < times; time += 1) {
    tell(`cold start ${time + 1} of ${times}`)
    found.empty.push(await timeTo(() => startProgram([empty])))
    found.service.push(await timeTo(() => launch({ dist, folder })))
  }
  const of = (name: keyof typeof found) => median(found[name])
  return { empty: of('empty'), service: of('service'), first: of('first'), times }
}

async function timeTo(start: () => Promise<Program>): Promise<number> {
  const begun = performance.now()
  const program = await start()
  await answer(program.url)
  const took = performance.now() - begun
  await program.stop()
  return took
}

/** One real request on a connection of its own. */
async function answer(url: string): Promise<void> {
  const [body] = (await cases.find((one) => one.id === 'walletGet')?.bodies(undefined)) ?? []
  const text = JSON.stringify(body)
  const headers = { ...headersFor(versions.at(-1) ?? ''), 'Content-Length': text.length }
  const status = await new Promise((resolve, reject) => {
    const sent = request(url + path, { method: 'POST', headers, agent: new Agent() }, (response) =>
      response.resume().on('end', () => resolve(response.statusCode)),
    )
    sent.on('error', reject).end(text)
  })
  if (status !== 200) throw new Error(`the first answer was ${status}`)
}

/**
 * Resident memory in MB some time after the start with the default world, when nobody has asked: of
 * the first start, which fills that world, and of the second one on the same folder.
 */
export async function measureIdle(place: Place, seconds: number) {
  const folder = join(place.folder, 'idle')
  const once = async () => {
    const program = await launch({ ...place, folder })
    await sleep(seconds * 1000)
    const memory = readMemory(program.pid)
    await program.stop()
    return memory
  }
  return { first: await once(), second: await once() }
}

const [mostTimesEmpty, mostIdle, mostRested] = [2.5, 90, 250]

export const coldStartLevels = ({ service, empty: theirs }: ColdStart): Level[] =>
  compare('cold start, × an empty server', service, theirs, { first: mostTimesEmpty, atMost: true })

export const memoryLevels = ({ idle, servers }: Memory): Level[] => [
  ...compare('idle memory, MB', idle, 1, { first: mostIdle, atMost: true }),
  ...servers
    .filter(({ server }) => isService(server))
    .flatMap(({ server, rested }) =>
      compare(`memory of ${server} when idle after load, MB`, rested, 1, {
        first: mostRested,
        atMost: true,
      }),
    ),
]
