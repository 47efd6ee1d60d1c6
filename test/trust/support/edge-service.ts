import { once } from 'node:events'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createDatabase } from '../../support/engine.ts'
import { isServerThere } from '../../support/postgres-server.ts'
import type { Body } from '../../support/service.ts'
import {
  addressOf,
  type Credentials,
  firstClient,
  headersOf,
  launch,
} from '../../support/service-process.ts'
import { endWithTest, once as onlyOnce } from './end-with-test.ts'
import { canTry } from './report.ts'

export type Engine = 'sqlite' | 'postgres'
export const engines: readonly Engine[] = ['sqlite', 'postgres']

/** Whether a test can run on an engine here. */
export const canTryOn = async (engine: Engine): Promise<boolean> =>
  engine === 'sqlite' || canTry(await isServerThere(), 'PostgreSQL does not answer')

interface EdgeAnswer {
  status: number
  body: Body
}

/** A service in a process of its own, with data that outlives it. */
export interface EdgeService {
  url: string
  pid: number
  store: Store
  /** Everything that it wrote to its standard error so far. */
  errors(): string
  /** In MB. */
  rss(): number
  post(path: string, body: object, as?: Credentials): Promise<EdgeAnswer>
  /** The same, which has to succeed. */
  call(path: string, body: object, as?: Credentials): Promise<Body>
  signal(name: NodeJS.Signals): void
  /** Its exit code and how long it took to end, in ms. */
  ended: Promise<{ code: number | null; at: number }>
  /** Ends it, and removes its data. */
  remove(): Promise<void>
}

export interface Store {
  environment: Record<string, string>
  /** The file of the embedded store, or the address of the database. */
  address: string
  remove(): Promise<void>
}

/** Where a service can keep its data. */
export async function createStore(engine: Engine): Promise<Store> {
  if (engine === 'sqlite') {
    const folder = mkdtempSync(join(tmpdir(), 'edge-'))
    return {
      environment: { DATA_DIR: folder },
      address: join(folder, 'service.sqlite'),
      remove: removing(async () => rmSync(folder, { recursive: true, force: true })),
    }
  }
  const { address, remove } = await createDatabase()
  const durable = address.replace('?synchronous_commit=off', '')
  const environment = { DATABASE_URL: durable, ENCRYPTION_KEY: '07'.repeat(32) }
  return { environment, address: durable, remove: removing(remove) }
}

function removing(remove: () => Promise<void>): () => Promise<void> {
  const removeOnce = onlyOnce(remove)
  endWithTest(removeOnce)
  return removeOnce
}

/** Starts the service from the sources; resolves once it listens. It ends with the test at the latest. */
export async function startEdge(
  store: Store,
  environment: Record<string, string> = {},
): Promise<EdgeService> {
  const { child, errors } = launch({ environment: { ...store.environment, ...environment } })
  const ended = once(child, 'exit').then(([code]) => ({ code, at: performance.now() }))
  const remove = onlyOnce(async () => {
    if (child.exitCode === null && child.signalCode === null) child.kill('SIGKILL')
    await ended
    await store.remove()
  })
  endWithTest(remove)
  const url = await addressOf(child)
  if (url === undefined) throw new Error(`the service ended before it listened\n${errors()}`)
  const pid = child.pid as number
  const post: EdgeService['post'] = async (path, body, as = firstClient) => {
    const response = await fetch(url + path, {
      method: 'POST',
      headers: headersOf(as),
      body: JSON.stringify(body),
    })
    return { status: response.status, body: (await response.json()) as Body }
  }
  return {
    url,
    pid,
    store,
    ended,
    post,
    errors,
    rss: () => residentMb(pid),
    async call(path, body, as) {
      const { status, body: answer } = await post(path, body, as)
      if (status !== 200) throw new Error(`${path} ${status} ${JSON.stringify(answer)}`)
      return answer
    },
    signal: (name) => void child.kill(name),
    remove,
  }
}

/** What a process holds in memory, in MB. */
function residentMb(pid: number): number {
  const [, kb] = /VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8')) ?? []
  return Math.round(Number(kb) / 1024)
}
