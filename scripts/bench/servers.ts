import { once } from 'node:events'
import { type AddressInfo, createServer } from 'node:net'
import { join } from 'node:path'
import { currentVersion, generatedFolder, root } from '../contract/contract.ts'
import { type CpuTimes, readCpu } from './cpu.ts'
import type { BenchDatabase } from './database.ts'
import { type Program, startProgram } from './processes.ts'
import type { ServerName } from './server-names.ts'
import { type ServicePlan, type ServiceProgram, startService } from './service.ts'

/** One thing that is measured, as one or more processes. */
export interface Server {
  name: ServerName
  programs: readonly Program[]
  /** CPU seconds of its processes, and of the database's for it. */
  cpu(): Promise<CpuTimes>
}

const script = (name: string): string => join(root, `scripts/bench/servers/${name}.ts`)

/** Starts a server that knows the answers by their paths. */
export async function startBeside(name: ServerName, answers: string): Promise<Server> {
  const program = await (name === 'prism'
    ? startPrism()
    : startProgram([script(name), answers], { env: { NODE_ENV: 'production' } }))
  return toServer(name, [program])
}

/** Starts this service, for PostgreSQL as many processes as are needed. */
export async function startServices(
  plan: Omit<ServicePlan, 'name'>,
  processes: number,
): Promise<ServiceProgram[]> {
  const programs: ServiceProgram[] = []
  for (let number = 1; number <= processes; number += 1) {
    programs.push(await startService({ ...plan, name: `service-${number}` }))
  }
  return programs
}

export function toServer(
  name: ServerName,
  programs: readonly Program[],
  database?: BenchDatabase,
): Server {
  return {
    name,
    programs,
    async cpu() {
      const [own, theirs] = [readCpu(programs.map(({ pid }) => pid)), await database?.cpu()]
      if (!own || (database && !theirs)) return undefined
      return new Map([...own, ...(theirs ?? [])])
    },
  }
}

/** Prism's own command line on the bundle; silent, it does not even tell where it listens. */
async function startPrism(): Promise<Program> {
  const port = await freePort()
  const url = `http://127.0.0.1:${port}`
  const bundle = join(generatedFolder(currentVersion), 'openapi.json')
  const prism = join(root, 'node_modules/@stoplight/prism-cli/dist/index.js')
  const options = ['--verboseLevel', 'silent', '--multiprocess', 'false']
  return startProgram([prism, 'mock', bundle, '--port', String(port), ...options], {
    url,
    env: { NODE_ENV: 'production' },
  })
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  server.close()
  await once(server, 'close')
  return port
}
