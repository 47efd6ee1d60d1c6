import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { chownSync, existsSync, rmSync, writeFileSync } from 'node:fs'
import { connect } from 'node:net'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { endsWithUs } from '../../support/children.ts'
import { freePort } from '../../support/free-port.ts'
import { account, asUser, type Instance, makeFolder } from '../../support/postgres-instance.ts'

const program = '/usr/sbin/pgbouncer'

export const canPool = existsSync(program)
export const whyNoPooler = 'a pooler: PgBouncer (/usr/sbin/pgbouncer) is not here'

/** A pooler in front of a server. */
interface Pooler {
  /** The address of a database of the server, through the pooler. */
  url(database: string): string
  stop(): Promise<void>
}

/** Starts PgBouncer as its package configures it, but for its port, its log, and its mode. */
export async function startPooler(server: Instance, mode: string): Promise<Pooler> {
  const port = await freePort()
  const folder = makeFolder()
  const file = join(folder, 'pgbouncer.ini')
  const users = join(folder, 'users')
  const lines = [
    '[databases]',
    `* = host=127.0.0.1 port=${server.port}`,
    '[pgbouncer]',
    'listen_addr = 127.0.0.1',
    `listen_port = ${port}`,
    'unix_socket_dir =',
    'auth_type = trust',
    `auth_file = ${users}`,
    `pool_mode = ${mode}`,
  ]
  writeFileSync(users, '"postgres" ""\n')
  writeFileSync(file, `${lines.join('\n')}\n`)
  for (const own of [users, file]) if (account) chownSync(own, account.uid, account.gid)
  const child = endsWithUs(spawn(program, [file], asUser))
  await untilListening(child, port)
  return {
    url: (database) => `postgres://postgres@127.0.0.1:${port}/${database}`,
    async stop() {
      if (child.exitCode === null && child.signalCode === null) {
        const exit = once(child, 'exit')
        child.kill('SIGKILL')
        await exit
      }
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

async function untilListening(child: ChildProcess, port: number): Promise<void> {
  while (child.exitCode === null) {
    const socket = connect(port, '127.0.0.1')
    const isThere = await Promise.race([
      once(socket, 'connect').then(() => true),
      once(socket, 'error').then(() => false),
    ]).catch(() => false)
    socket.destroy()
    if (isThere) return
    await sleep(20)
  }
  throw new Error('the pooler ended before it listened')
}
