import { escapeControls } from '../control-characters.ts'
import type { AskedJobs } from '../server/boot/command-socket.ts'
import type { Database } from '../server/kernel/database.ts'
import type { DeadJobRow } from '../server/queue/dead-job-store.ts'
import type { JobsCommand, JobsDone } from '../server/queue/jobs-command.ts'
import { actorOf, printDone } from './ask-operator.ts'
import { type Command, type ExitCode, program } from './command.ts'
import { dataHelp, findData } from './data-place.ts'
import { onFolder, withDatabase } from './on-folder.ts'
import { readOptions } from './options.ts'
import { toJson } from './to-json.ts'
import { UsageError } from './usage-error.ts'

const help = `usage: ${program} jobs list [options]
       ${program} jobs rerun ID... [options]
       ${program} jobs rerun --all [options]

Lists jobs that failed and are not tried again, the latest first. Runs them again, with the usual number
of attempts. If a service runs on the data, it runs the jobs at once. Otherwise its next start does.

${dataHelp}
  --all           run all of them again, up to 1000 (off)
  --json          print JSON for programs (off)

exit code: 0 done, 1 not done, or there is no failed job of an ID, 2 wrong usage

examples:
  ${program} jobs list
  ${program} jobs rerun 019a7c52-6c1f-7e11-a2f3-0c9d5e1b7a34 --data /var/lib/service
  DATABASE_URL=postgres://service@127.0.0.1:5432/service ${program} jobs rerun --all`

/** Lists dead jobs and schedules them again, in a data folder or in PostgreSQL. */
export const jobsCommand: Command = { help, node: 24, run }

const options = {
  data: { type: 'string' },
  all: { type: 'boolean', default: false },
  json: { type: 'boolean', default: false },
} as const

async function run(args: string[]): Promise<ExitCode> {
  const { values, positionals } = readOptions(args, options)
  const doing = execute(values.data, toCommand(positionals, values.all))
  return printDone(doing, (done) => print(done, values.json), 'nothing was done: ')
}

function toCommand([what, ...ids]: string[], all: boolean): JobsCommand {
  if (what === 'list') {
    if (ids.length > 0 || all) throw new UsageError('list takes no IDs and no --all')
    return { jobs: 'list' }
  }
  if (what !== 'rerun') throw new UsageError('say what to do: list or rerun')
  if (all === ids.length > 0) throw new UsageError('give the IDs of jobs, or --all')
  return { jobs: 'rerun', ids: all ? 'all' : ids }
}

/** By the service that has the data, or else by this process. */
async function execute(flag: string | undefined, asked: JobsCommand): Promise<JobsDone> {
  const command = { ...asked, actor: actorOf() }
  const { url, folder } = await findData(flag)
  const work = (database: Database) => onDatabase(database, command)
  if (url !== undefined) {
    const { openPostgres } = await import('../server/db/postgres.ts')
    return withDatabase(await openPostgres(url), work)
  }
  return onFolder(folder, command, work)
}

async function onDatabase(database: Database, command: AskedJobs): Promise<JobsDone> {
  const { runAuditedJobs } = await import('../server/operator/audit-upkeep.ts')
  const { rejectEarlierData } = await import('../server/db/migrate.ts')
  await rejectEarlierData(database)
  return runAuditedJobs(database, command, command.actor)
}

function print(done: JobsDone, json: boolean): ExitCode {
  const code = 'unknown' in done && done.unknown.length > 0 ? 1 : 0
  if (json) console.log(toJson('dead' in done ? done.dead.map(toShown) : done))
  else for (const line of linesOf(done)) console.log(escapeControls(line))
  return code
}

const toShown = ({ failed_at, payload, ...job }: DeadJobRow) => ({
  ...job,
  payload: JSON.parse(payload),
  failed_at: new Date(failed_at).toISOString(),
})

function linesOf(done: JobsDone): string[] {
  if ('dead' in done) {
    if (done.dead.length === 0) return ['there is no failed job']
    return done.dead.map(toShown).map(({ job_id, failed_at, kind, client_id, attempts, error }) => {
      return `${job_id}  ${failed_at}  ${kind} of ${client_id}, ${attempts} attempts: ${error}`
    })
  }
  const { revived, unknown } = done
  const lost = unknown.map((id) => `there is no failed job ${id}`)
  return [`${revived.length} ${revived.length === 1 ? 'job is' : 'jobs are'} run again`, ...lost]
}
