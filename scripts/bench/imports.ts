import { once } from 'node:events'
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { readMemory } from './cpu.ts'
import { createDatabase } from './database.ts'
import { compare, type Level } from './levels.ts'
import { spawnChild } from './processes.ts'
import { launchOf, type ServiceProgram, startService } from './service.ts'
import type { Stage } from './stage.ts'
import { type FileFormat, statementFiles } from './statement-files.ts'

// Statement files, read by the command `statement` and imported by the command `import`.

export interface Imports {
  rows: number
  /** What reading a file takes, and how many times that of a tenth of its rows. */
  reads: { format: FileFormat; seconds: number; growth: number; memory: number }[]
  /** What importing one takes, with MB above the memory of an idle process. */
  imports: { store: 'sqlite' | 'postgres'; seconds: number; growth: number; memory: number }[]
}

/** Reads and imports files of so many rows, and of a tenth of them. */
export async function measureImports(
  stage: Pick<Stage, 'dist' | 'folder' | 'database'>,
  rows: number,
  tell: (line: string) => void,
): Promise<Imports> {
  const folder = join(stage.folder, 'imports')
  mkdirSync(folder, { recursive: true })
  const file = (format: FileFormat, count: number): string => {
    const path = join(folder, `${count}.${format}`)
    writeFileSync(path, statementFiles[format](count))
    return path
  }
  const cli = (args: readonly string[], env: Record<string, string> = {}) =>
    runProgram([join(stage.dist, 'src/cli/main.js'), ...args], env)
  const reads: Imports['reads'] = []
  for (const format of Object.keys(statementFiles) as FileFormat[]) {
    tell(`reading ${rows} rows as ${format}`)
    const read = (count: number) => cli(['statement', file(format, count), '--json'])
    const [least, tenth, whole] = [await read(1), await read(rows / 10), await read(rows)]
    reads.push({
      format,
      seconds: whole.seconds,
      growth: whole.seconds / tenth.seconds,
      memory: whole.memory - least.memory,
    })
  }
  const imports: Imports['imports'] = []
  const hasServer = (await stage.database()) !== undefined
  for (const store of ['sqlite', 'postgres'] as const) {
    if (store === 'postgres' && !hasServer) continue
    tell(`importing ${rows} rows on ${store}`)
    const files = [1, rows / 10, rows].map((count) => file('ofx', count))
    imports.push({
      store,
      ...(await importAll(store, stage.dist, join(folder, store), files, cli)),
    })
  }
  return { rows, reads, imports }
}

type Run = (args: readonly string[], env: Record<string, string>) => Promise<Ran>

/** Imports a file of one row, of some and of ten times as many, each as an Item of its own. */
async function importAll(
  store: 'sqlite' | 'postgres',
  dist: string,
  folder: string,
  files: readonly string[],
  cli: Run,
) {
  const database = store === 'postgres' ? await createDatabase() : undefined
  const at = database ? { databaseUrl: database.url } : {}
  const plan = { dist, folder, name: store, production: true, ...at }
  const { env } = launchOf(plan)
  const service = await startService(plan)
  try {
    const made = await cli(['client', 'create', 'Bench', '--json'], env)
    const { client_id } = JSON.parse(made.output) as { client_id: string }
    const ran: Ran[] = []
    for (const [index, path] of files.entries()) {
      const user = ['--client', client_id, '--user', String(index)]
      ran.push(await watched(service, () => cli(['import', path, ...user], env)))
    }
    const [least, tenth, whole] = ran as [Ran, Ran, Ran]
    return {
      seconds: whole.seconds,
      growth: whole.seconds / tenth.seconds,
      memory: whole.memory - least.memory,
    }
  } finally {
    await service.stop()
    await database?.remove()
  }
}

interface Ran {
  seconds: number
  /** The most resident memory, in MB. */
  memory: number
  output: string
}

const sampleMs = 20

/** Runs a command, and looks how much memory the service takes meanwhile, where that is more. */
async function watched(service: ServiceProgram, run: () => Promise<Ran>): Promise<Ran> {
  const most = peakOf(service.pid)
  const ran = await run()
  return { ...ran, memory: Math.max(ran.memory, most.end()) }
}

function peakOf(pid: number): { end(): number } {
  let peak = 0
  const look = () => {
    peak = Math.max(peak, readMemory(pid) ?? 0)
  }
  const timer = setInterval(look, sampleMs)
  return {
    end() {
      clearInterval(timer)
      return peak
    },
  }
}

/** Runs a program to its end; throws where it fails. */
async function runProgram(args: readonly string[], env: Record<string, string>): Promise<Ran> {
  const begun = performance.now()
  const child = spawnChild(args, {
    env: { PATH: process.env['PATH'], ...env },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const most = peakOf(child.pid ?? 0)
  const ended = once(child, 'exit')
  const output = child.stdout ? await text(child.stdout) : ''
  const [code] = (await ended) as [number | null]
  const memory = most.end()
  if (code !== 0) throw new Error(`${args.join(' ')} ended with ${code}`)
  return { seconds: (performance.now() - begun) / 1000, memory, output }
}

/** Seconds are of a usual machine; the growth is a ratio within one run. */
export const importLevels = ({ rows, reads, imports }: Imports): Level[] => [
  ...reads.flatMap(({ format, seconds, growth, memory }) => [
    ...atMost(`${rows} rows of ${format} are read, seconds`, seconds, 5),
    ...atMost(`reading ten times the rows of ${format}, × the time`, growth, 12),
    ...atMost(`reading ${format}, MB above a file of one row`, memory, 100),
  ]),
  ...imports.flatMap(({ store, seconds, growth, memory }) => [
    ...atMost(`${rows} rows are imported on ${store}, seconds`, seconds, 20),
    ...atMost(`importing ten times the rows on ${store}, × the time`, growth, 12),
    ...atMost(`importing on ${store}, MB above a file of one row`, memory, 100),
  ]),
]

const atMost = (what: string, value: number, first: number): Level[] =>
  compare(what, value, 1, { first, atMost: true })
