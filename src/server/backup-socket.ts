import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { chmodSync, rmSync } from 'node:fs'
import { connect, createServer, type Server, type Socket } from 'node:net'
import { join, resolve } from 'node:path'
import { text } from 'node:stream/consumers'
import { type BackupDone, type BackupOrder, backUp, type Copied } from './backup.ts'
import { type Database, DatabaseError } from './db/database.ts'
import type { Log } from './service.ts'

const isFile = process.platform !== 'win32'

type Answer = BackupDone | { error: string }

/** Where the process that has a folder takes orders: in that folder, which is its owner's only. */
function socketOf(data: string): string {
  if (isFile) return join(data, 'service.sock')
  const name = createHash('sha256').update(resolve(data)).digest('hex').slice(0, 16)
  return `\\\\.\\pipe\\financial-data-service-${name}`
}

/**
 * Makes the backups that are asked for, until it is closed; there are none of a store without a
 * folder. Whoever calls it has that store. Where nobody can ask, such as below a very long path, all
 * else goes on.
 */
export async function listenForBackups(
  { backup, read }: Pick<Database, 'backup' | 'read'>,
  data: string | undefined,
  log: Pick<Log, 'error'>,
): Promise<{ close(): Promise<void> }> {
  if (data === undefined || !backup) return { close: async () => {} }
  const socket = socketOf(data)
  const asking = new Set<Socket>()
  const making = new Set<Promise<Answer>>()
  const server = createServer({ allowHalfOpen: true }, async (connection) => {
    connection.on('error', () => {})
    asking.add(connection)
    const asked = await text(connection).catch(() => '')
    asking.delete(connection)
    const answer = answerTo({ backup, read }, data, asked)
    making.add(answer)
    connection.end(JSON.stringify(await answer), () => making.delete(answer))
  })
  await listenAt(server, socket).catch((error: unknown) => {
    server.close()
    log.error(error, 'no backup can be asked for while this process runs')
  })
  return {
    async close() {
      server.close()
      // Who has connected and asks for nothing is not waited for.
      for (const connection of asking) connection.destroy()
      await Promise.all(making)
    },
  }
}

async function answerTo(database: Copied, data: string, asked: string): Promise<Answer> {
  try {
    return await backUp(database, data, JSON.parse(asked) as BackupOrder)
  } catch (error) {
    return { error: error instanceof Error ? error.message : String(error) }
  }
}

async function listenAt(server: Server, socket: string): Promise<void> {
  // Left by a process that was killed: the store has one owner, and that is this process.
  if (isFile) rmSync(socket, { force: true })
  const listening = once(server, 'listening')
  server.listen(socket)
  await listening
  if (isFile) chmodSync(socket, 0o600)
}

/** Asks the process that has a folder for a backup; undefined when there is none that listens. */
export async function askForBackup(
  data: string,
  order: BackupOrder,
): Promise<BackupDone | undefined> {
  const connection = connect({ path: socketOf(data), allowHalfOpen: true })
  try {
    connection.end(JSON.stringify(order))
    const answered = await text(connection)
    if (answered === '') throw cutOff
    const answer = JSON.parse(answered) as Answer
    if ('error' in answer) throw new DatabaseError(answer.error)
    return answer
  } catch (error) {
    const { code = '' } = error as NodeJS.ErrnoException
    if (['ENOENT', 'ECONNREFUSED', 'EINVAL'].includes(code)) return undefined
    if (['ECONNRESET', 'EPIPE'].includes(code)) throw cutOff
    throw error
  }
}

const cutOff = new DatabaseError('the service ended before the copy was whole')
