import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { chmodSync, rmSync } from 'node:fs'
import { connect, createServer, type Server, type Socket } from 'node:net'
import { join, resolve } from 'node:path'
import { text } from 'node:stream/consumers'
import { type Database, DatabaseError } from '../kernel/database.ts'
import type { Log } from '../kernel/log.ts'
import { doJobsOrder, type JobsDone, type JobsOrder } from '../queue/dead-jobs.ts'
import { type BackupDone, type BackupOrder, backUp } from './backup.ts'

const isFile = process.platform !== 'win32'

type Order = BackupOrder | JobsOrder
type Answer = BackupDone | JobsDone | { error: string }

/** What orders are carried out with. */
interface Means {
  database: Database
  data: string
  /** Called after jobs were planned anew. */
  wake(): void
}

/** Where the process that has a folder takes orders: in that folder, which is its owner's only. */
function socketOf(data: string): string {
  if (isFile) return join(data, 'service.sock')
  const name = createHash('sha256').update(resolve(data)).digest('hex').slice(0, 16)
  return `\\\\.\\pipe\\financial-data-service-${name}`
}

/**
 * Carries out what the commands `backup` and `jobs` ask for, until it is closed; a store without a
 * folder takes no orders. Whoever calls it has that store. Where nobody can ask, such as below a very
 * long path, all else goes on.
 */
export async function listenForOrders(
  { data, ...means }: Omit<Means, 'data'> & { data: string | undefined },
  log: Pick<Log, 'error'>,
): Promise<{ close(): Promise<void> }> {
  if (data === undefined) return { close: async () => {} }
  const socket = socketOf(data)
  const asking = new Set<Socket>()
  const working = new Set<Promise<Answer>>()
  const server = createServer({ allowHalfOpen: true }, async (connection) => {
    connection.on('error', () => {})
    asking.add(connection)
    const asked = await text(connection).catch(() => '')
    asking.delete(connection)
    const answer = answerTo({ data, ...means }, asked)
    working.add(answer)
    connection.end(JSON.stringify(await answer), () => working.delete(answer))
  })
  await listenAt(server, socket).catch((error: unknown) => {
    server.close()
    log.error(error, 'the commands backup and jobs cannot reach this process')
  })
  return {
    async close() {
      server.close()
      // Who has connected and asks for nothing is not waited for.
      for (const connection of asking) connection.destroy()
      await Promise.all(working)
    },
  }
}

async function answerTo(means: Means, asked: string): Promise<Answer> {
  try {
    return await carryOut(means, JSON.parse(asked) as Order)
  } catch (error) {
    return { error: error instanceof Error ? error.message : String(error) }
  }
}

async function carryOut({ database, data, wake }: Means, order: Order): Promise<Answer> {
  if ('jobs' in order) {
    const done = await doJobsOrder(database, order, Date.now())
    wake()
    return done
  }
  const { backup, read } = database
  if (!backup) throw new DatabaseError('this store makes no backups')
  return backUp({ backup, read }, data, order)
}

async function listenAt(server: Server, socket: string): Promise<void> {
  // Left by a process that was killed: the store has one owner, and that is this process.
  if (isFile) rmSync(socket, { force: true })
  const listening = once(server, 'listening')
  server.listen(socket)
  await listening
  if (isFile) chmodSync(socket, 0o600)
}

/** Asks the process that has a folder to do something; undefined when there is none that listens. */
export async function giveOrder<Done extends BackupDone | JobsDone>(
  data: string,
  order: Order,
): Promise<Done | undefined> {
  const connection = connect({ path: socketOf(data), allowHalfOpen: true })
  try {
    connection.end(JSON.stringify(order))
    const answered = await text(connection)
    if (answered === '') throw cutOff
    const answer = JSON.parse(answered) as Done | { error: string }
    if ('error' in answer) throw new DatabaseError(answer.error)
    return answer
  } catch (error) {
    const { code = '' } = error as NodeJS.ErrnoException
    if (['ENOENT', 'ECONNREFUSED', 'EINVAL'].includes(code)) return undefined
    if (['ECONNRESET', 'EPIPE'].includes(code)) throw cutOff
    throw error
  }
}

const cutOff = new DatabaseError('the service ended before it was done')
