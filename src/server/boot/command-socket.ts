import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { chmodSync, rmSync } from 'node:fs'
import { connect, createServer, type Server, type Socket } from 'node:net'
import { join, resolve } from 'node:path'
import { text } from 'node:stream/consumers'
import { setTimeout as sleep } from 'node:timers/promises'
import { type Database, DatabaseError } from '../kernel/database.ts'
import type { Log } from '../kernel/log.ts'
import type { Service } from '../kernel/service.ts'
import { runAuditedJobs } from '../operator/audit-upkeep.ts'
import type { ImportReport } from '../operator/import-report.ts'
import type { Events, OperatorCommand, OperatorDone } from '../operator/operator-command.ts'
import { UnfinishedImport } from '../operator/unfinished-import.ts'
import type { JobsCommand, JobsDone } from '../queue/jobs-command.ts'
import { type BackupCommand, type BackupDone, backUp } from './backup.ts'
import { type Order, readOrder, writeOrder } from './command-lines.ts'

/** A command about dead jobs, and who gives it. */
export type AskedJobs = JobsCommand & { actor: string }

const isFile = process.platform !== 'win32'

type Command = BackupCommand | AskedJobs | OperatorCommand
type Done = BackupDone | JobsDone | OperatorDone
/** A report is of an import that failed after a part was committed. */
type Answer = Done | { error: string; report?: ImportReport }

/** What commands run on. */
interface Target {
  database: Database
  service: Service
  data: string
  /** Called after jobs were scheduled again. */
  wake(): void
}

/** The path of the socket. It is in the data folder, which only its owner can open. */
function socketOf(data: string): string {
  if (isFile) return join(data, 'service.sock')
  const name = createHash('sha256').update(resolve(data)).digest('hex').slice(0, 16)
  return `\\\\.\\pipe\\financial-data-service-${name}`
}

/**
 * Runs the commands of operators for other processes until it is closed. A store in memory
 * takes no commands. The service runs on if the socket cannot be made, such as below a very long path.
 */
export async function listenForCommands(
  { data, ...target }: Omit<Target, 'data'> & { data: string | undefined },
  log: Pick<Log, 'error'>,
): Promise<{ close(): Promise<void> }> {
  if (data === undefined) return { close: async () => {} }
  const socket = socketOf(data)
  const open = new Set<Socket>()
  const reading = new Set<Socket>()
  const working = new Set<Promise<Answer>>()
  const take = async (connection: Socket) => {
    const order = await readOrder<Command>(connection)
    const wasRead = () => reading.delete(connection)
    const events = noting(order.events, wasRead)
    if (!('import' in order.command)) wasRead()
    const answer = answerTo({ data, ...target }, { ...order, events })
    working.add(answer)
    const answered = JSON.stringify(await answer)
    wasRead()
    connection.end(answered, () => working.delete(answer))
    // What the sender still writes is dropped: it would otherwise not come to read the answer.
    await order.stop()
    connection.resume()
  }
  const server = createServer({ allowHalfOpen: true }, (connection) => {
    connection.on('error', () => {})
    connection.once('close', () => open.delete(connection))
    open.add(connection)
    reading.add(connection)
    take(connection).catch(() => connection.destroy())
  })
  await listenAt(server, socket).catch((error: unknown) => {
    server.close()
    log.error(error, 'the commands of operators cannot reach this process')
  })
  return {
    async close() {
      server.close()
      // A command that was not sent to its end would otherwise delay the end.
      for (const connection of reading) connection.destroy()
      await Promise.all(working)
      await Promise.race([allClosed(open), sleep(longestGoodbyeMs, undefined, { ref: false })])
      for (const connection of open) connection.destroy()
    },
  }
}

/** How long a sender may take to read its answer when the service ends. */
const longestGoodbyeMs = 1000

const allClosed = (connections: Iterable<Socket>) =>
  Promise.all([...connections].map((connection) => once(connection, 'close')))

/** Passes events on, and tells when all were read. */
async function* noting(events: Events, wasRead: () => void): Events {
  yield* events
  wasRead()
}

type Asked = Pick<Order<Command>, 'command' | 'events'>

async function answerTo(target: Target, order: Asked): Promise<Answer> {
  try {
    return await execute(target, order)
  } catch (error) {
    const report = error instanceof UnfinishedImport ? { report: error.report } : {}
    return { error: error instanceof Error ? error.message : String(error), ...report }
  }
}

async function execute(target: Target, { command, events }: Asked): Promise<Done> {
  const { database, data, service, wake } = target
  if ('jobs' in command) {
    const done = await runAuditedJobs(database, command, command.actor)
    wake()
    return done
  }
  if ('target' in command) {
    const { backup, read, transaction } = database
    if (!backup) throw new DatabaseError('this store makes no backups')
    return backUp({ backup, read, transaction }, data, command)
  }
  // Loaded at its first use: most processes never get such a command.
  const { runOperatorCommand } = await import('../operator/operator-command.ts')
  return runOperatorCommand(service, command, events)
}

async function listenAt(server: Server, socket: string): Promise<void> {
  // Removes the socket of a process that was killed. Only this process can own the store now.
  if (isFile) rmSync(socket, { force: true })
  const listening = once(server, 'listening')
  server.listen(socket)
  await listening
  if (isFile) chmodSync(socket, 0o600)
}

/** Sends a command to the process that owns a data folder. Undefined: no process listens. */
export async function sendCommand<Answered extends Done>(
  data: string,
  command: Command,
  events?: Events,
): Promise<Answered | undefined> {
  const connection = connect({ path: socketOf(data), allowHalfOpen: true })
  try {
    // Events that were read for a process which does not listen would be lost.
    if (!(await isConnected(connection, data))) return undefined
    return await exchange<Answered>(connection, command, events)
  } catch (error) {
    const { code = '' } = error as NodeJS.ErrnoException
    if (['ECONNRESET', 'EPIPE'].includes(code)) throw cutOff
    throw error
  } finally {
    connection.destroy()
  }
}

async function isConnected(connection: Socket, data: string): Promise<boolean> {
  try {
    await once(connection, 'connect')
    return true
  } catch (error) {
    const { code = '' } = error as NodeJS.ErrnoException
    if (['ENOENT', 'ECONNREFUSED', 'EINVAL'].includes(code)) return false
    if (code === 'ENOTDIR') throw noFolder(data)
    if (['EACCES', 'EPERM'].includes(code)) throw notAllowed(socketOf(data))
    throw error
  }
}

async function exchange<Answered extends Done>(
  connection: Socket,
  command: Command,
  events: Events | undefined,
): Promise<Answered> {
  const unread: { error?: unknown } = {}
  const written = writeOrder(connection, command, events && noticing(events, unread))
  // The answer may come before all was written, and says what became of what was not.
  written.catch(() => {})
  const answered = await text(connection)
  if (answered === '') throw cutOff
  const answer = JSON.parse(answered) as Answered | Extract<Answer, { error: string }>
  if (!('error' in answer)) return answer
  const error = 'error' in unread ? unread.error : new DatabaseError(answer.error)
  throw answer.report ? new UnfinishedImport(answer.report, error) : error
}

/** Passes events on, and keeps why they could not be read. */
async function* noticing(events: Events, unread: { error?: unknown }): Events {
  try {
    yield* events
  } catch (error) {
    unread.error = error
    throw error
  }
}

const cutOff = new DatabaseError('the service ended before it was done')

const noFolder = (data: string) =>
  new DatabaseError(`--data (DATA_DIR): ${data} is no folder, or lies below what is none`)

const notAllowed = (socket: string) =>
  new DatabaseError(`${socket} cannot be opened: run this as the user that the service runs as`)
