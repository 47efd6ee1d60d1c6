import { appendFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import {
  createInstance,
  type Instance,
  instanceAt,
  makeFolder,
  orRemoved,
  runProgram,
} from '../../support/postgres-instance.ts'

/** Two servers: one writes, and answers no commit before the other has it. */
export interface Cluster {
  primary: Instance
  standby: Instance
  /** Makes the standby the one that writes; the former primary must have ended. */
  promote(): Promise<void>
  /** Puts a copy of the new primary in the place of the former one, and waits for it. */
  rebuild(): Promise<void>
  remove(): Promise<void>
}

const settings = { wal_level: 'replica', max_wal_senders: '4', hot_standby: 'on' }

export async function createCluster(): Promise<Cluster> {
  const primary = await createInstance(settings)
  const creating = createStandby(primary)
  await orRemoved(primary, creating)
  const cluster: Cluster = {
    primary,
    standby: await creating,
    async promote() {
      await runProgram('pg_ctl', ['promote', '-D', cluster.standby.folder, '-w'])
      ;[cluster.primary, cluster.standby] = [cluster.standby, cluster.primary]
      // It has no standby of its own yet, and would wait for one.
      await setSynchronous(cluster.primary, '')
    },
    async rebuild() {
      const { port } = cluster.standby
      await cluster.standby.remove()
      cluster.standby = await createStandby(cluster.primary, port)
      await beginReplication(cluster)
    },
    async remove() {
      await cluster.standby.remove()
      await cluster.primary.remove()
    },
  }
  try {
    await beginReplication(cluster)
    return cluster
  } catch (error) {
    await cluster.remove()
    throw error
  }
}

/** A copy that follows a server; addresses name its port, so the former one may be kept. */
async function createStandby(primary: Instance, port?: number): Promise<Instance> {
  const top = makeFolder()
  const folder = join(top, 'data')
  const from = `host=127.0.0.1 port=${primary.port} user=postgres application_name=standby`
  const options = ['-X', 'stream', '-c', 'fast', '-R', '--no-sync']
  await runProgram('pg_basebackup', ['-d', from, '-D', folder, ...options]).catch((error) => {
    rmSync(top, { recursive: true })
    throw error
  })
  // The primary's own settings were copied along.
  appendFileSync(join(folder, 'postgresql.auto.conf'), "synchronous_standby_names = ''\n")
  const standby = await instanceAt(folder, settings, port)
  return orRemoved(standby, standby.start())
}

async function beginReplication({ primary }: Cluster): Promise<void> {
  await setSynchronous(primary, 'standby')
  const state = () =>
    primary.sql((sql) => sql`select 1 from pg_stat_replication where sync_state = 'sync'`)
  while ((await state()).length === 0) await sleep(50)
}

const setSynchronous = ({ sql }: Instance, names: string) =>
  sql(async (db) => {
    await db.unsafe(`alter system set synchronous_standby_names = '${names}'`)
    await db`select pg_reload_conf()`
  })
