import { writeFile } from 'node:fs/promises'
import { currentVersion, type Version, versions } from '../../generated/versions.ts'
import type { Report } from '../conform/report.ts'
import { hintOf } from '../nearest.ts'
import { whyNotRead } from '../not-read.ts'
import { type Command, type ExitCode, program } from './command.ts'
import { createProgress } from './conform-progress.ts'
import { toText } from './conform-text.ts'
import { readOptions } from './options.ts'
import { readBase, readSecretOf } from './read-secret.ts'
import { tellError } from './tell-error.ts'
import { toJson } from './to-json.ts'
import { UsageError } from './usage-error.ts'

const help = `usage: ${program} conform --base URL --client-id ID [options]

Holds a running service against the contract: every operation, every error that a request can bring
about, the rules of requests, the shape of answers, headers, versions, pages, tokens and webhooks. All
cases are derived from the contract. If the service has the sandbox API, the data of the client is reset
many times. Use a client of a sandbox that nobody else uses.

  --base URL              judge the service at this URL (required)
  --client-id ID          call as this client (SERVICE_CLIENT_ID)
  --other-client-id ID    try as this client to reach data of the first one (a client that the sandbox API makes)
  --version DATE          judge this dated version (${currentVersion})
  --only OPERATION        judge one operation; an operation is named by its operationId (all)
  --access-token TOKEN    use this access token, if the service has no sandbox API (that of the examples)
  --receiver URL          listen at this local URL for webhooks, and judge their signatures (off)
  --stateless             judge only what needs no stored data, as of a mock (off)
  --report FILE           write a report: JUnit if the name ends in .xml, JSON otherwise; may be repeated
  --json                  print the report as JSON instead of a table (off)
  --help                  print this

  SERVICE_SECRET          the secret of the client; SERVICE_SECRET_FILE names a file that holds it
  OTHER_SERVICE_SECRET    the secret of the other client; OTHER_SERVICE_SECRET_FILE names a file

exit code: 0 nothing breaks the contract, 1 something does, 2 the service could not be judged

examples:
  SERVICE_SECRET=sandbox-secret ${program} conform --base http://127.0.0.1:4000 --client-id sandbox-client
  SERVICE_SECRET=sandbox-secret ${program} conform --base http://127.0.0.1:4010 --client-id sandbox-client \\
    --stateless --report conform.xml`

const options = {
  base: { type: 'string' },
  'client-id': { type: 'string' },
  'other-client-id': { type: 'string' },
  version: { type: 'string', default: currentVersion },
  only: { type: 'string' },
  'access-token': { type: 'string' },
  receiver: { type: 'string' },
  stateless: { type: 'boolean', default: false },
  report: { type: 'string', multiple: true },
  json: { type: 'boolean', default: false },
} as const

type Values = ReturnType<typeof readOptions<typeof options>>['values']

/** Holds a running service against the contract. */
export const conform: Command = { help, run }

async function run(args: string[]): Promise<ExitCode> {
  const { values, positionals } = readOptions(args, options)
  if (positionals.length > 0) throw new UsageError(`${positionals[0]} is one argument too many`)
  const report = await judge(await readSettings(values), values)
  for (const file of values.report ?? []) await writeReport(file, report)
  console.log(values.json ? toJson(report) : toText(report))
  return report.failed > 0 ? 1 : 0
}

interface Settings {
  base: string
  version: Version
  client: { clientId: string; secret: string }
  other: { clientId: string; secret: string } | undefined
  receiver: URL | undefined
}

async function readSettings(values: Values): Promise<Settings> {
  const base = readBase('--base', values.base)
  const { version } = values
  if (!Object.hasOwn(versions, version)) {
    throw new UsageError(`--version must be one of: ${Object.keys(versions).join(', ')}`)
  }
  const clientId = values['client-id'] ?? process.env['SERVICE_CLIENT_ID']
  const secret = await readSecretOf('SERVICE_SECRET')
  if (!clientId) throw new UsageError('--client-id (SERVICE_CLIENT_ID) is needed')
  if (!secret) throw new UsageError('SERVICE_SECRET or SERVICE_SECRET_FILE is needed')
  const otherId = values['other-client-id']
  const otherSecret = await readSecretOf('OTHER_SERVICE_SECRET')
  if (otherId !== undefined && !otherSecret) {
    throw new UsageError(
      '--other-client-id needs OTHER_SERVICE_SECRET or OTHER_SERVICE_SECRET_FILE',
    )
  }
  const receiver = values.receiver === undefined ? undefined : URL.parse(values.receiver)
  if (receiver === null || (receiver && receiver.protocol !== 'http:')) {
    throw new UsageError('--receiver must be an http URL of this machine')
  }
  return {
    ...{ base, version: version as Version, client: { clientId, secret }, receiver },
    other: otherId && otherSecret ? { clientId: otherId, secret: otherSecret } : undefined,
  }
}

const timeout = 60_000

async function judge(settings: Settings, values: Values): Promise<Report> {
  const { runConform, UnknownOperation } = await import('../conform/conform.ts')
  const { CannotBegin } = await import('../conform/suite.ts')
  const progress = createProgress()
  try {
    return await runConform({
      ...{ ...settings, timeout, stateless: values.stateless, only: values.only },
      ...{ accessToken: values['access-token'], ...progress },
    })
  } catch (error) {
    if (error instanceof UnknownOperation) {
      const hint = hintOf(values.only ?? '', error.known)
      throw new UsageError(`--only: there is no operation ${values.only}${hint}`)
    }
    if (!(error instanceof CannotBegin)) throw error
    throw new UsageError(error.message)
  } finally {
    progress.end()
  }
}

async function writeReport(file: string, report: Report): Promise<void> {
  const { toJunit } = await import('../conform/report.ts')
  const text = file.endsWith('.xml') ? toJunit(report) : `${JSON.stringify(report, null, 2)}\n`
  try {
    await writeFile(file, text)
  } catch (error) {
    tellError(`${file} cannot be written: ${whyNotRead((error as NodeJS.ErrnoException).code)}`)
    throw new UsageError(`--report: ${file} cannot be written`)
  }
}
