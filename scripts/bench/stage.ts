import { execFileSync } from 'node:child_process'
import { existsSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { root, versions } from '../contract/contract.ts'
import { askAt, type Case, cases } from './cases.ts'
import { type BenchDatabase, createDatabase } from './database.ts'
import { writeDirectory } from './directory.ts'
import { requireDisk } from './disk.ts'
import { requireFeatures } from './features.ts'
import { stopAll } from './processes.ts'
import { isService, type ServerName } from './server-names.ts'
import { type Server, startBeside, startServices, toServer } from './servers.ts'
import { type ServiceProgram, startService } from './service.ts'

/** What the measurements stand on: a build, a folder for data, and a database. */
export interface Stage {
  dist: string
  folder: string
  /** A world with many institutions over the default one. */
  fixture: string
  /** Undefined where PostgreSQL does not answer. */
  database(): Promise<BenchDatabase | undefined>
  close(): Promise<void>
}

export async function openStage(
  built: string | undefined,
  tell: (line: string) => void,
): Promise<Stage> {
  requireDisk(tmpdir())
  const folder = mkdtempSync(join(tmpdir(), 'bench-'))
  const dist = built === undefined ? makeBuild(tell) : resolve(built)
  if (!existsSync(join(dist, 'src/server/main.js'))) throw new Error(`--dist: no build in ${dist}`)
  const fixture = join(folder, 'directory.json')
  writeDirectory(fixture)
  let opened: Promise<BenchDatabase | undefined> | undefined
  const open = async () => {
    const found = await createDatabase()
    if (typeof found !== 'string') return found
    tell(`left out: ${found}`)
    return undefined
  }
  const clear = async () => {
    await stopAll()
    await (await opened)?.remove()
    rmSync(folder, { recursive: true, force: true })
    if (built === undefined) rmSync(dist, { recursive: true, force: true })
  }
  let cleared: Promise<void> | undefined
  const close = () => {
    cleared ??= clear()
    return cleared
  }
  for (const signal of ['SIGINT', 'SIGTERM'] as const) {
    process.once(signal, () => void close().finally(() => process.exit(130)))
  }
  return {
    dist,
    folder,
    fixture,
    database() {
      opened ??= open()
      return opened
    },
    close,
  }
}

/** Builds the checkout into a folder of its own: `dist` may be older, or change meanwhile. */
function makeBuild(tell: (line: string) => void): string {
  tell('building')
  const cache = join(root, 'node_modules/.cache')
  mkdirSync(cache, { recursive: true })
  const folder = mkdtempSync(join(cache, 'bench-'))
  execFileSync(process.execPath, [join(root, 'scripts/build/main.ts'), folder], { stdio: 'pipe' })
  const docs = join(root, 'dist/docs')
  if (existsSync(docs)) symlinkSync(docs, join(folder, 'docs'))
  return folder
}

const postgresProcesses: Partial<Record<ServerName, number>> = { postgres: 1, 'postgres-2': 2 }

/** Starts all that is chosen; the service first, since the others answer what it does. */
export async function startServers(
  stage: Stage,
  names: readonly ServerName[],
  tell: (line: string) => void,
): Promise<Server[]> {
  const most = Math.max(0, ...names.map((name) => postgresProcesses[name] ?? 0))
  const database = most > 0 ? await stage.database() : undefined
  tell('starting this service')
  const [sqlite, postgres] = await Promise.all([
    startChecked(stage, names.includes('sqlite') ? 1 : 0),
    startChecked(stage, database ? most : 0, database),
  ])
  const servers: Server[] = []
  const answers = join(stage.folder, 'answers.json')
  // Each process is asked once by itself, as none is that has run for a while.
  const samples: Record<string, unknown[]>[] = []
  for (const program of [...sqlite, ...postgres]) samples.push(await answersOf(program))
  writeFileSync(answers, JSON.stringify(samples[0] ?? {}))
  for (const name of names) {
    const own = name === 'sqlite' ? sqlite : postgres.slice(0, postgresProcesses[name])
    if (!isService(name)) servers.push(await startBeside(name, answers))
    else if (own.length > 0) {
      servers.push(toServer(name, own, name === 'sqlite' ? undefined : database))
    }
  }
  return servers
}

/** Starts so many processes on one store, and refuses those that do not have everything on. */
async function startChecked(
  { dist, fixture, folder: parent }: Stage,
  processes: number,
  database?: BenchDatabase,
): Promise<ServiceProgram[]> {
  if (processes === 0) return []
  const folder = join(parent, database ? 'postgres' : 'sqlite')
  const plan = { dist, folder, fixture, ...(database ? { databaseUrl: database.url } : {}) }
  // What fills a world needs more memory than what serves it.
  const filling = await startService({ ...plan, name: 'filling' })
  await filling.stop()
  const programs = await startServices(plan, processes)
  for (const program of programs) await requireFeatures(program, folder, database)
  return programs
}

/** What a process answers to all requests of each case, by path; anything but 200 is a failure. */
async function answersOf({ url }: ServiceProgram): Promise<Record<string, unknown[]>> {
  const ask = askAt(url)
  const { port } = new URL(url)
  const answer = async ({ path, bodies }: Case) => {
    const answers: unknown[] = []
    for (const body of await bodies(ask)) {
      for (const version of versions) {
        const id = `sample-${port}-${answers.length}`
        const text = JSON.stringify(body).replace('[<id>]', id)
        answers.push(await ask(path, JSON.parse(text), version))
      }
    }
    return [path, answers] as const
  }
  return Object.fromEntries(await Promise.all(cases.map(answer)))
}
