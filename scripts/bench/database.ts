import { existsSync, readFileSync } from 'node:fs'
import postgres from 'postgres'
import { type CpuTimes, readCpu } from './cpu.ts'

/** A database of the benchmark's own, on the server that is there. */
export interface BenchDatabase {
  url: string
  version: string
  /** What the server's processes have used for this database and for keeping it on disk. */
  cpu(): Promise<CpuTimes>
  /** Its size on disk. */
  bytes(): Promise<number>
  remove(): Promise<void>
}

const serverUrl = process.env['BENCH_DATABASE_URL'] ?? 'postgres://postgres@127.0.0.1:5432/postgres'

/** The server's own processes that work for every database. */
const helpers = ['walwriter', 'checkpointer', 'background writer', 'autovacuum worker']

let created = 0

/** Creates a database; throws where no server answers. */
export async function createDatabase(): Promise<BenchDatabase> {
  const admin = postgres(serverUrl, { max: 1, connect_timeout: 5, onnotice: () => {} })
  created += 1
  const name = `bench_${process.pid}_${Date.now().toString(36)}_${created}`
  const url = new URL(serverUrl)
  try {
    await admin.unsafe(`create database ${name}`)
  } catch (error) {
    await admin.end()
    throw new Error(`PostgreSQL at ${url.host}: ${(error as Error).message}`)
  }
  url.pathname = `/${name}`
  const [{ server_version: version = '' } = {}] = await admin`show server_version`
  return {
    url: url.href,
    version: String(version).split(' ')[0] ?? '',
    async cpu() {
      const rows = await admin<{ pid: number }[]>`
        select pid from pg_stat_activity
          where datname = ${name} or backend_type in ${admin(helpers)}`
      const pids = rows.map(({ pid }) => pid)
      // A server on another machine has other processes by these numbers.
      return pids.every(isPostgres) ? readCpu(pids) : undefined
    },
    async bytes() {
      const [row] = await admin<{ bytes: string }[]>`select pg_database_size(${name}) as bytes`
      return Number(row?.bytes)
    },
    async remove() {
      await admin.unsafe(`drop database if exists ${name} with (force)`)
      await admin.end()
    },
  }
}

function isPostgres(pid: number): boolean {
  const file = `/proc/${pid}/comm`
  return existsSync(file) && readFileSync(file, 'utf8').startsWith('postgres')
}
