import { existsSync, readFileSync } from 'node:fs'
import postgres from 'postgres'
import { type CpuTimes, readCpu } from './cpu.ts'

/** A database of the benchmark's own, on the server that is there. */
export interface BenchDatabase {
  url: string
  version: string
  /** What the server's processes have used for this database and for keeping it on disk. */
  cpu(): Promise<CpuTimes>
  /** How many rows of a table have this text in any column. */
  rowsWith(table: string, text: string): Promise<number>
  remove(): Promise<void>
}

const serverUrl = process.env['BENCH_DATABASE_URL'] ?? 'postgres://postgres@127.0.0.1:5432/postgres'

/** The server's own processes that work for whoever writes. */
const helpers = ['walwriter', 'checkpointer', 'background writer', 'autovacuum worker']

/** Creates a database, or says why there is none. */
export async function createDatabase(): Promise<BenchDatabase | string> {
  const admin = postgres(serverUrl, { max: 1, connect_timeout: 5, onnotice: () => {} })
  const name = `bench_${process.pid}_${Date.now().toString(36)}`
  try {
    await admin.unsafe(`create database ${name}`)
  } catch (error) {
    await admin.end()
    return `PostgreSQL at ${new URL(serverUrl).host}: ${(error as Error).message}`
  }
  const url = new URL(serverUrl)
  url.pathname = `/${name}`
  const [{ server_version: version = '' } = {}] = await admin`show server_version`
  const isOurs = ({ pid }: { pid: number }) => isPostgres(pid)
  return {
    url: url.href,
    version: String(version).split(' ')[0] ?? '',
    async cpu() {
      const rows = await admin<{ pid: number }[]>`
        select pid from pg_stat_activity
          where datname = ${name} or backend_type in ${admin(helpers)}`
      // A server on another machine has other processes by these numbers.
      return rows.every(isOurs) ? readCpu(rows.map(({ pid }) => pid)) : undefined
    },
    async rowsWith(table, text) {
      const own = postgres(url.href, { max: 1 })
      const query = `select count(*)::int as rows from ${table} as one where one::text like $1`
      const [row] = await own.unsafe<{ rows: number }[]>(query, [`%${text}%`])
      await own.end()
      return row?.rows ?? 0
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
