import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { freePort } from '../../test/support/free-port.ts'
import { currentVersion, generatedFolder, root, versions } from '../contract/contract.ts'
import { askAt, cases } from './cases.ts'
import { type CpuTimes, readCpu } from './cpu.ts'
import type { BenchDatabase } from './database.ts'
import { requireFeatures } from './features.ts'
import { type Program, startProgram } from './processes.ts'
import { isService, type ServerName } from './server-names.ts'
import { type ServiceProgram, startService } from './service.ts'
import type { Stage } from './stage.ts'

/** One server that is measured, as one or more processes. */
export interface Server {
  name: ServerName
  programs: readonly Program[]
  /** CPU seconds of its processes, and of the database's for it. */
  cpu(): Promise<CpuTimes>
}

export const toServer = (
  name: ServerName,
  programs: readonly Program[],
  database?: BenchDatabase,
): Server => ({
  name,
  programs,
  async cpu() {
    const [own, theirs] = [readCpu(programs.map(({ pid }) => pid)), await database?.cpu()]
    if (!own || (database && !theirs)) return undefined
    return new Map([...own, ...(theirs ?? [])])
  },
})

/** How many processes of this service each of its names stands for. */
const processes: Partial<Record<ServerName, number>> = { sqlite: 1, postgres: 1, 'postgres-2': 2 }

/** Starts everything that is chosen; the service first, since the others repeat its responses. */
export async function startServers(
  stage: Stage,
  names: readonly ServerName[],
  tell: (line: string) => void,
): Promise<Server[]> {
  tell('starting this service')
  const isOn = (name: ServerName, engine: string) => name.startsWith(engine)
  const most = (engine: string) =>
    Math.max(0, ...names.map((name) => (isOn(name, engine) ? (processes[name] ?? 0) : 0)))
  const database = most('postgres') > 0 ? await stage.database() : undefined
  const [sqlite, postgres] = await Promise.all([
    startServices(stage, most('sqlite')),
    startServices(stage, database ? most('postgres') : 0, database),
  ])
  // Each process is asked once, as a process is that has run for a while.
  const samples: Record<string, unknown[]>[] = []
  for (const program of [...sqlite, ...postgres]) samples.push(await sampleOf(program))
  const answers = join(stage.folder, 'answers.json')
  writeFileSync(answers, JSON.stringify(samples[0] ?? {}))
  const servers: Server[] = []
  for (const name of names) {
    if (!isService(name)) servers.push(toServer(name, [await startOther(name, answers)]))
    else if (name === 'sqlite') servers.push(toServer(name, sqlite))
    else if (database) {
      servers.push(toServer(name, postgres.slice(0, processes[name]), database))
    }
  }
  return servers
}

/** Starts so many processes of this service on one database, with these arguments for Node. */
export async function startServices(
  { dist, fixture, folder: parent }: Pick<Stage, 'dist' | 'fixture' | 'folder'>,
  count: number,
  database?: BenchDatabase,
  nodeArgs: readonly string[] = [],
): Promise<ServiceProgram[]> {
  if (count === 0) return []
  const folder = join(parent, database ? 'postgres' : 'sqlite')
  const plan = { dist, folder, fixture, ...(database && { databaseUrl: database.url }) }
  // The start that loads the seed data takes more memory than those after it.
  await (await startService({ ...plan, name: 'filling' })).stop()
  const programs: ServiceProgram[] = []
  while (programs.length < count) {
    const name = `service-${programs.length + 1}`
    programs.push(await startService({ ...plan, name, nodeArgs }))
  }
  for (const program of programs) await requireFeatures(program)
  return programs
}

/** The responses of a process to all requests of each case, by path. */
async function sampleOf({ url }: ServiceProgram): Promise<Record<string, unknown[]>> {
  const ask = askAt(url)
  const { port } = new URL(url)
  const samples: Record<string, unknown[]> = {}
  for (const { path, bodies } of cases) {
    const answers: unknown[] = []
    for (const body of await bodies(ask)) {
      for (const version of versions) {
        const text = JSON.stringify(body).replace('[<id>]', `sample-${port}-${answers.length}`)
        answers.push(await ask(path, JSON.parse(text), version))
      }
    }
    samples[path] = answers
  }
  return samples
}

/** Starts a server that this one is compared with. */
async function startOther(name: ServerName, answers: string): Promise<Program> {
  const env = { NODE_ENV: 'production' }
  if (name !== 'prism') {
    return startProgram([join(root, `scripts/bench/servers/${name}.ts`), answers], { env })
  }
  const port = await freePort()
  const bundle = join(generatedFolder(currentVersion), 'openapi.json')
  const prism = join(root, 'node_modules/@stoplight/prism-cli/dist/index.js')
  const options = ['--verboseLevel', 'silent', '--multiprocess', 'false']
  // Silent, it does not print where it listens.
  const url = `http://127.0.0.1:${port}`
  return startProgram([prism, 'mock', bundle, '--port', String(port), ...options], { url, env })
}
