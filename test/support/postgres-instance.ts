import { type ChildProcess, execFile, type SpawnOptions, spawn } from 'node:child_process'
import { once } from 'node:events'
import { chownSync, globSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { promisify } from 'node:util'
import postgres, { type Sql } from 'postgres'
import { endsWithUs } from './children.ts'
import { freePort } from './free-port.ts'

/** A database server of a test's own, which can be stopped in every way. */
export interface Instance {
  port: number
  folder: string
  /** The address of a database there. */
  url(database: string): string
  start(): Promise<void>
  /** `fast` ends what is open, `immediate` leaves it to the recovery, `kill` gives no warning. */
  stop(how: 'fast' | 'immediate' | 'kill'): Promise<void>
  /** Runs statements as its owner, on a connection of their own. */
  sql<Result>(work: (sql: Sql) => Promise<Result>, database?: string): Promise<Result>
  remove(): Promise<void>
}

const run = promisify(execFile)

/** The folder of the server's programs, of the newest version that is here. */
const programs = globSync('/usr/lib/postgresql/*/bin').sort().at(-1) ?? ''

/** PostgreSQL does not run as root, so root lends it another user. */
export const account = process.getuid?.() === 0 ? findAccount('postgres') : undefined

function findAccount(name: string): { uid: number; gid: number } | undefined {
  const lines = readFileSync('/etc/passwd', 'utf8').split('\n')
  const [, , uid, gid] = lines.find((line) => line.startsWith(`${name}:`))?.split(':') ?? []
  return uid === undefined ? undefined : { uid: Number(uid), gid: Number(gid) }
}

/** Whether servers can be started here, and if not, why. */
export const canStartServers =
  programs !== '' && (process.getuid?.() !== 0 || account !== undefined)
export const whyNoServers =
  'servers of its own: the programs of PostgreSQL, or a user to run them, are not here'

export const asUser: SpawnOptions = { ...account, cwd: tmpdir(), stdio: 'ignore' }

/** Runs one of the server's programs to its end. */
export const runProgram = (name: string, args: readonly string[]) =>
  run(join(programs, name), args, { ...account, cwd: tmpdir() })

const ways = { fast: 'SIGINT', immediate: 'SIGQUIT', kill: 'SIGKILL' } as const

/** Makes a folder that the server's user owns. */
export function makeFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'server-'))
  if (account) chownSync(folder, account.uid, account.gid)
  return folder
}

/** A new, empty server, which runs. */
export async function createInstance(settings: Record<string, string> = {}): Promise<Instance> {
  const folder = join(makeFolder(), 'data')
  const options = ['-A', 'trust', '-U', 'postgres', '-E', 'UTF8', '--no-locale', '--no-sync']
  await runProgram('initdb', ['-D', folder, ...options])
  const instance = await instanceAt(folder, settings)
  return orRemoved(instance, instance.start())
}

/** A server once something is done with it; what cannot be done leaves none behind. */
export async function orRemoved(instance: Instance, done: Promise<unknown>): Promise<Instance> {
  try {
    await done
    return instance
  } catch (error) {
    await instance.remove()
    throw error
  }
}

/** The server of a folder, which does not run yet. */
export async function instanceAt(
  folder: string,
  settings: Record<string, string> = {},
  port?: number,
): Promise<Instance> {
  port ??= await freePort()
  let server: ChildProcess | undefined
  let isRemoved = false
  const options = { listen_addresses: '127.0.0.1', unix_socket_directories: '', ...settings }
  const args = Object.entries(options).flatMap(([name, value]) => ['-c', `${name}=${value}`])
  const url = (database: string) => `postgres://postgres@127.0.0.1:${port}/${database}`

  async function sql<Result>(
    work: (sql: Sql) => Promise<Result>,
    database = 'postgres',
  ): Promise<Result> {
    const connection = postgres(url(database), { max: 1, connect_timeout: 5, onnotice: () => {} })
    try {
      return await work(connection)
    } finally {
      await connection.end({ timeout: 1 })
    }
  }
  const stop: Instance['stop'] = async (how) => {
    if (!server || server.exitCode !== null || server.signalCode !== null) return
    const exit = once(server, 'exit')
    server.kill(ways[how])
    await exit
  }
  return {
    port,
    folder,
    url,
    sql,
    stop,
    async start() {
      while (!isRemoved) {
        const own = ['-D', folder, '-p', `${port}`, ...args]
        server = endsWithUs(spawn(join(programs, 'postgres'), own, asUser), 'SIGQUIT')
        if (await untilReady(server, () => sql((db) => db`select 1`))) return
        // The children of one that was killed may still be there for a moment.
        await sleep(100)
      }
      throw new Error('the server was removed before it answered')
    },
    async remove() {
      isRemoved = true
      await stop('immediate')
      rmSync(join(folder, '..'), { recursive: true, force: true })
    },
  }
}

/** Waits until a server answers; false when it ended before. */
async function untilReady(server: ChildProcess, ask: () => Promise<unknown>): Promise<boolean> {
  while (server.exitCode === null && server.signalCode === null) {
    const answered = await ask().then(
      () => true,
      () => false,
    )
    if (answered) return true
    await sleep(20)
  }
  return false
}
