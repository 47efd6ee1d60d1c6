import { mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { root } from '../../scripts/contract/contract.ts'
import { type StartedService, start } from '../../src/server/boot/start.ts'
import { type Config, readConfig } from '../../src/server/config/config.ts'
import { openPostgres } from '../../src/server/db/postgres.ts'
import { openSqlite } from '../../src/server/db/sqlite.ts'
import type { Database } from '../../src/server/kernel/database.ts'
import { insertDeadJob, listDeadJobs } from '../../src/server/queue/dead-job-store.ts'
import { createDatabase } from '../support/engine.ts'
import { attempt } from '../support/installed-package.ts'
import { isServerThere } from '../support/postgres-server.ts'

const hasServer = await isServerThere()

let folder: string
let service: StartedService | undefined
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'jobs-'))
})
afterEach(async () => {
  await service?.close()
  service = undefined
  rmSync(folder, { recursive: true, force: true })
})

const failedAt = Date.parse('2026-03-16T12:00:00Z')

/** Jobs of an Item that is not there, which succeed when they are run again. */
async function leaveDead(database: Database, ids: readonly string[]): Promise<void> {
  const job = { client_id: 'sandbox-client', kind: 'transactionsCheck' }
  const failed = { attempts: 12, error: 'Error: the account is gone' }
  await database.transaction(async (db) => {
    for (const [place, job_id] of ids.entries()) {
      const payload = '{"item_id":"none"}'
      await insertDeadJob(db, { ...job, ...failed, payload, job_id, failed_at: failedAt - place })
    }
  })
}

async function started(): Promise<StartedService> {
  service = await start(readConfig(['--port', '0', '--data', join(folder, 'data')], {}) as Config)
  return service
}

/** Runs the command as an operator does. */
async function jobs(args: string[], env: Record<string, string> = {}) {
  const main = join(root, 'src/cli/main.ts')
  const ended = await attempt(process.execPath, [main, 'jobs', ...args], { cwd: folder, env })
  return { code: ended.code, output: ended.stdout.trim(), errors: ended.stderr.trim() }
}

const lineOf = (id: string) =>
  `${id}  2026-03-16T12:00:00.000Z  transactionsCheck of sandbox-client, 12 attempts: Error: the account is gone`

const readAll = (database: Database) =>
  database.read(async (db) => ({
    dead: (await listDeadJobs(db, 10)).map(({ job_id }) => job_id),
    planned: await db.all<{ job_id: string; attempts: number }>(
      'select job_id, attempts from jobs where payload = \'{"item_id":"none"}\'',
    ),
  }))

describe('jobs that failed for good', () => {
  test('are listed and run again by a service that runs', async () => {
    const { service: running } = await started()
    await leaveDead(running.database, ['one', 'two'])
    const listed = await jobs(['list'])
    expect(listed).toEqual({ code: 0, output: expect.stringContaining(lineOf('one')), errors: '' })
    expect(listed.output.split('\n')).toHaveLength(2)
    expect(await jobs(['rerun', 'one', 'none', '--data', 'data'])).toEqual({
      code: 1,
      output: '1 job is run again\nthere is no failed job none',
      errors: '',
    })
    // It was started early: no other worker runs it.
    await expect
      .poll(() => readAll(running.database), { timeout: 10_000 })
      .toEqual({ dead: ['two'], planned: [] })
  })

  test('are planned for the next start while no service runs', async () => {
    const { service: running } = await started()
    await leaveDead(running.database, ['one', 'two'])
    await service?.close()
    service = undefined
    expect(await jobs(['rerun', '--all'])).toMatchObject({
      code: 0,
      output: '2 jobs are run again',
    })
    expect(await jobs(['list'])).toMatchObject({ code: 0, output: 'there is no failed job' })
    const database = openSqlite(join(folder, 'data/service.sqlite'))
    const { planned } = await readAll(database)
    await database.close()
    expect(planned).toHaveLength(2)
  })

  test.runIf(hasServer)('are reached in PostgreSQL by DATABASE_URL', async () => {
    const place = await createDatabase()
    const database = await openPostgres(place.address)
    await leaveDead(database, ['one'])
    const env = { DATABASE_URL: place.address }
    const { code, output } = await jobs(['list', '--json'], env)
    const rerun = await jobs(['rerun', 'one'], env)
    const left = await readAll(database)
    await database.close()
    await place.remove()
    expect([code, JSON.parse(output)]).toEqual([
      0,
      [
        {
          client_id: 'sandbox-client',
          job_id: 'one',
          kind: 'transactionsCheck',
          payload: { item_id: 'none' },
          attempts: 12,
          failed_at: '2026-03-16T12:00:00.000Z',
          error: 'Error: the account is gone',
        },
      ],
    ])
    expect(rerun).toMatchObject({ code: 0, output: '1 job is run again' })
    expect(left).toEqual({ dead: [], planned: [{ job_id: 'one', attempts: 0 }] })
  })

  test('of an earlier version are not there yet', async () => {
    mkdirSync(join(folder, 'data'))
    const database = new DatabaseSync(join(folder, 'data/service.sqlite'))
    database.exec('create table migrations (number integer, name text)')
    database.exec("insert into migrations (number, name) values (15, '0015-plans.sql')")
    database.close()
    expect(await jobs(['list'])).toEqual({
      code: 1,
      output: '',
      errors: 'nothing was done: the data is of an earlier version: start the service on it once',
    })
  })

  test('are not looked for where no data is', async () => {
    expect(await jobs(['list'])).toMatchObject({
      code: 2,
      errors: expect.stringMatching(/^data\/service\.sqlite is not there: name the folder/),
    })
  })
})
