import { mkdtempSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import type { createService, RunningService } from '../../../../src/server/boot/create-service.ts'
import type { openSqlite } from '../../../../src/server/db/sqlite.ts'
import type { prepareSeedData } from '../../../../src/server/fixtures/prepare-seed-data.ts'
import { createDatabase, engine, openPlace } from '../../../support/engine.ts'
import { readySeedData, seedDataKeys } from '../../../support/ready-seed-data.ts'

/** The day of every run, so that a seed alone repeats it. */
export const start = Date.parse('2026-03-16T14:05:09Z')

export interface Sent {
  method: string
  path: string
  headers: Record<string, string>
  body: string | Uint8Array
}

export interface Answer {
  /** 0 where the connection ended without an answer. */
  status: number
  headers: Readonly<Record<string, unknown>>
  text: string
  json: unknown
  /** In ms. */
  took: number
}

/** The service under test. */
export interface Target {
  running: RunningService
  receiver: string
  /** Sends a request into the service, without a socket. */
  send(request: Sent): Promise<Answer>
  /** What was logged since the last look. */
  takeLog(): string[]
  /** Waits for what is under way behind the answers. */
  settle(): Promise<void>
  /** All rows of a client by their table, but for those that count or list its calls. */
  digest(clientId: string): Promise<Digest>
  close(): Promise<void>
}

type Digest = Readonly<Record<string, string>>

/** The tables whose rows are no longer as they were. */
export const changedIn = (before: Digest, after: Digest): string[] =>
  Object.keys(before).filter((table) => before[table] !== after[table])

const longestWait = 60_000

interface Sqlite {
  openSqlite: typeof openSqlite
}

interface Creating {
  createService: typeof createService
}

interface Preparing {
  prepareSeedData: typeof prepareSeedData
}

const fromSources = async <Module>(root: string, file: string): Promise<Module> =>
  (await import(pathToFileURL(join(root, file)).href)) as Module

/** The default seed data of each sources, made once for all services of a process. */
const images = new Map<string, Promise<Uint8Array>>()

/** The default seed data as these sources make it. */
async function makeImage(root: string): Promise<Uint8Array> {
  const opening = await fromSources<Sqlite>(root, 'src/server/db/sqlite.ts')
  const making = await fromSources<Creating>(root, 'src/server/boot/create-service.ts')
  const preparing = await fromSources<Preparing>(root, 'src/server/fixtures/prepare-seed-data.ts')
  const database = opening.openSqlite(':memory:')
  const { service, app } = await making.createService({
    database,
    keys: seedDataKeys,
    settings: { environment: 'sandbox', reportDelayMs: 0 },
    publicUrl: () => '',
    rateLimits: 'off',
    clock: () => start,
    log: { info: () => {}, error: (error, message) => console.error(message, error) },
  })
  const usual = { fixture: undefined, seed: undefined, fixtureDate: undefined }
  await preparing.prepareSeedData(service, { ...usual, environment: 'sandbox' })
  await service.runner.stop()
  await app.close()
  const bytes = await database.image()
  await database.close()
  return bytes
}

/** A database with the default seed data, for a service of these sources. */
async function openWorld(root: string) {
  if (engine === 'postgres') {
    const { address, remove } = await createDatabase(readySeedData(() => start))
    return { database: await openPlace(address), remove }
  }
  const sqlite = await fromSources<Sqlite>(root, 'src/server/db/sqlite.ts')
  const database = sqlite.openSqlite(':memory:')
  const image = images.get(root) ?? makeImage(root)
  images.set(root, image)
  await database.load(await image)
  return { database, remove: async () => {} }
}

/** Starts the service of the sources below `root` on seed data of its own. */
export async function openTarget(root: string): Promise<Target> {
  const { database, remove } = await openWorld(root)
  const lines: string[] = []
  const note = (...parts: unknown[]) =>
    void lines.push(
      parts.map((part) => (part instanceof Error ? wordsOf(part) : JSON.stringify(part))).join(' '),
    )
  const module = await fromSources<Creating>(root, 'src/server/boot/create-service.ts')
  const receiver = await openReceiver()
  const running = await module.createService({
    database,
    keys: seedDataKeys,
    settings: { environment: 'sandbox', reportDelayMs: 30_000 },
    publicUrl: () => 'http://127.0.0.1:4000',
    rateLimits: 'off',
    clock: () => start,
    log: {
      info: (details: object, message: string) => note('info', message, details),
      error: (error: unknown, message: string) => note('error', message, error),
    },
    docs: mkdtempSync(join(tmpdir(), 'fuzz-docs-')),
  } as Parameters<typeof createService>[0])
  await running.app.ready()
  let tables: string[] | undefined

  async function send({ method, path, headers, body }: Sent): Promise<Answer> {
    const begun = performance.now()
    const options = { method: method as 'POST', url: path, headers, payload: Buffer.from(body) }
    const answer = await within(running.app.inject(options), `${method} ${path}`)
    const took = performance.now() - begun
    if (!answer) return { status: 0, headers: {}, text: '', json: undefined, took }
    const { statusCode: status, payload: text } = answer
    return { status, headers: answer.headers, text, json: read(text), took }
  }

  return {
    running,
    receiver: receiver.url,
    send,
    takeLog: () => lines.splice(0),
    settle: () => running.service.runner.finish(),
    async digest(clientId) {
      const db = running.service.database.single
      tables ??= await listTables()
      const rows: Record<string, string> = {}
      for (const table of tables) {
        const own = await db.all(`select * from ${table} where client_id = $1`, [clientId])
        // A server that has looked at its tables may read them in another order.
        rows[table] = own
          .map((row) => JSON.stringify(row))
          .sort()
          .join('\n')
      }
      return rows
    },
    async close() {
      await running.close()
      await receiver.close()
      await remove()
    },
  }
}

function wordsOf(error: Error): string {
  const cause = error.cause instanceof Error ? ` because ${wordsOf(error.cause)}` : ''
  return `${error.stack ?? error.message}${cause}`
}

/** Undefined where the connection was dropped; a request that is not answered in time is a hang. */
async function within<Result>(work: Promise<Result>, what: string): Promise<Result | undefined> {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(
      () => reject(new Error(`${what} was not answered in ${longestWait} ms`)),
      longestWait,
    )
  })
  try {
    return await Promise.race([work, late])
  } catch (error) {
    if (
      error instanceof Error &&
      /destroyed before completion|socket hang up/.test(error.message)
    ) {
      return undefined
    }
    throw error
  } finally {
    clearTimeout(timer)
  }
}

function read(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/** The tables of what belongs to clients and that an error must leave alone. */
async function listTables(): Promise<string[]> {
  const { clientTables } = await import('../../../../src/server/db/client-tables.ts')
  const spared = ['request_counts', 'request_log', 'rate_windows', 'injected_errors']
  return clientTables.filter((table) => !spared.includes(table))
}

/** Takes webhooks, and rejects every third. */
async function openReceiver() {
  let received = 0
  const server = createServer((request, response) => {
    request.resume()
    response.writeHead(received++ % 3 === 2 ? 500 : 200).end()
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  return {
    url: `http://127.0.0.1:${port}`,
    close: () =>
      new Promise<void>((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
}
