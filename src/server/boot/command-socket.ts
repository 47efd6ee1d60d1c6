import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { chmodSync, rmSync } from 'node:fs'
import { connect, createServer, type Server, type Socket } from 'node:net'
import { join, resolve } from 'node:path'
import { text } from 'node:stream/consumers'
import { type Database, DatabaseError } from '../kernel/database.ts'
import type { Log } from '../kernel/log.ts'
import { type JobsCommand, type JobsDone, runJobsCommand } from '../queue/jobs-command.ts'
import { type BackupCommand, type BackupDone, backUp } from './backup.ts'

const isFile = process.platform !== 'win32'

type Command = BackupCommand | JobsCommand
type Answer = BackupDone | JobsDone | { error: string }

/** What commands run on. */
interface Target {
  database: Database
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
 * Runs the commands `backup` and `jobs` for other processes until it is closed. A store in memory
 * takes no commands. The service runs on if the socket cannot be made, such as below a very long path.
 */
export async function listenForCommands(
  { data, ...target }: Omit<Target, 'data'> & { data: string | undefined },
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
    const answer = answerTo({ data, ...target }, asked)
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
      // A connection without a command would otherwise delay the end.
      for (const connection of asking) connection.destroy()
      await Promise.all(working)
    },
  }
}

async function answerTo(target: Target, asked: string): Promise<Answer> {
  try {
    return await execute(target, JSON.parse(asked) as Command)
  } catch (error) {
    return { error: error instanceof Error ? error.message : String(error) }
  }
}

async function execute({ database, data, wake }: Target, command: Command): Promise<Answer> {
  if ('jobs' in command) {
    const done = await runJobsCommand(database, command, Date.now())
    wake()
    return done
  }
  const { backup, read } = database
  if (!backup) throw new DatabaseError('this store makes no backups')
  return backUp({ backup, read }, data, command)
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
export async function sendCommand<Done extends BackupDone | JobsDone>(
  data: string,
  command: Command,
): Promise<Done | undefined> {
  const connection = connect({ path: socketOf(data), allowHalfOpen: true })
  try {
    connection.end(JSON.stringify(command))
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
