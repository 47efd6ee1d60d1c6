import { randomBytes } from 'node:crypto'
import { cpSync, existsSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { setTimeout as sleep } from 'node:timers/promises'
import postgres, { type Sql } from 'postgres'
import { asAdmin, urlOf } from '../../support/postgres-server.ts'
import type { ReadAll } from './trial-checks.ts'

/** Where a service on trial keeps its data, and how a test looks into it from outside. */
export interface TrialStore {
  environment: Record<string, string>
  /** Reads what a start would find now; there must be no writer. */
  look<Result>(work: (all: ReadAll) => Promise<Result>): Promise<Result>
  /** Lets the half minute pass for which processes keep away from what a dead one was at. */
  endClaims(): Promise<void>
  remove(): Promise<void>
}

/** A folder of the embedded store. */
export function createFolder(): TrialStore & { folder: string } {
  const top = mkdtempSync(join(tmpdir(), 'trial-'))
  const folder = join(top, 'data')
  return {
    folder,
    environment: { DATA_DIR: folder },
    // Of a copy, since looking at it would already put the log into the file.
    look: (work) => lookAtCopy(join(folder, 'service.sqlite'), work),
    endClaims: async () => {},
    remove: async () => rmSync(top, { recursive: true, force: true }),
  }
}

/** Reads a copy of a database file and its log; fails where its pages do not fit together. */
export async function lookAtCopy<Result>(
  file: string,
  work: (all: ReadAll) => Promise<Result>,
): Promise<Result> {
  const folder = mkdtempSync(join(tmpdir(), 'trial-copy-'))
  const copy = join(folder, 'copy.sqlite')
  for (const end of ['', '-wal', '-journal']) {
    if (existsSync(file + end)) cpSync(file + end, copy + end)
  }
  const database = new DatabaseSync(copy)
  try {
    const [found] = database.prepare('pragma integrity_check').all()
    if (found?.['integrity_check'] !== 'ok') throw new Error(JSON.stringify(found))
    return await work(async (sql) => database.prepare(sql).all())
  } finally {
    database.close()
    rmSync(folder, { recursive: true })
  }
}

const trialKey = '5e'.repeat(32)

/** A database of the test's own on the server that tests use. */
export async function createServerDatabase(): Promise<TrialStore & { name: string }> {
  const name = `test_${process.pid}_${randomBytes(6).toString('hex')}`
  await asAdmin((sql) => sql.unsafe(`create database ${name}`))
  const sql = postgres(urlOf(name), {
    max: 1,
    idle_timeout: 1,
    onnotice: () => {},
    types: {
      number: { to: 20, from: [20, 1700], serialize: String, parse: Number },
    },
  })
  return {
    name,
    environment: { DATABASE_URL: urlOf(name), ENCRYPTION_KEY: trialKey },
    async look(work) {
      await untilAlone(sql)
      return work(async (text) => [...(await sql.unsafe(text))])
    },
    async endClaims() {
      await sql`update webhook_deliveries set claimed_until = 0 where claimed_until is not null`
    },
    async remove() {
      await sql.end()
      await asAdmin((admin) => admin.unsafe(`drop database ${name} (force)`))
    },
  }
}

const aloneMs = 60_000

/** Waits until no backend is left of a dead service, which may still be at a commit of it. */
async function untilAlone(sql: Sql<{ number: number }>): Promise<void> {
  const until = performance.now() + aloneMs
  for (;;) {
    const others = await sql`select state, query from pg_stat_activity
      where datname = current_database() and backend_type = 'client backend'
        and pid <> pg_backend_pid()`
    if (others.length === 0) return
    if (performance.now() > until) throw new Error(`still there: ${JSON.stringify(others)}`)
    await sleep(10)
  }
}
