import { currentVersion } from '../../generated/versions.ts'
import type { Issue } from '../validators/issues.ts'
import { type Command, type ExitCode, program } from './command.ts'
import { type Found, findEvent, findOperation } from './find-validator.ts'
import { readInput } from './input.ts'
import { readOptions } from './options.ts'
import { toJson } from './to-json.ts'
import { UsageError } from './usage-error.ts'

const help = `usage: ${program} validate OPERATION [FILE] [options]
       ${program} validate --webhook [FILE] [options]

Checks a JSON body against the contract: the request of an operation, unless --response says
otherwise, or a webhook. The body comes from FILE or from standard input.

  --response            check an answer of the operation (off: its request)
  --webhook             check a webhook, named by its type and code (off)
  --api-version DATE    check against this dated version (${currentVersion})
  --json                print { valid, subject, version, issues } instead of lines (off)
  --help                print this

exit code: 0 the body is valid, 1 it is not, 2 it could not be checked

examples:
  ${program} validate transactionsSync request.json
  echo '{"count": 501}' | ${program} validate transactionsSync --json
  ${program} validate accountsGet answer.json --response --api-version 2018-05-22
  ${program} validate --webhook event.json`

const options = {
  response: { type: 'boolean' },
  webhook: { type: 'boolean' },
  'api-version': { type: 'string', default: currentVersion },
  json: { type: 'boolean' },
} as const

export const validate: Command = {
  help,
  async run(args) {
    const { values, positionals } = readOptions(args, options)
    const [operation, file] = values.webhook ? [undefined, ...positionals] : positionals
    if (!values.webhook && operation === undefined) {
      throw new UsageError('name an operation, or give --webhook')
    }
    if (positionals.length > (values.webhook ? 1 : 2)) throw new UsageError('name one file')
    if (values.webhook && values.response) {
      throw new UsageError('--webhook and --response cannot be used together')
    }
    const version = values['api-version']
    const find = (body: unknown) =>
      operation === undefined
        ? findEvent(body, version)
        : findOperation(operation, values.response ? 'response' : 'request', version)
    return judge(file, find, { version, json: values.json })
  },
}

interface Report {
  version: string
  json: boolean | undefined
}

type Find = (body: unknown) => Promise<Found | undefined>

async function judge(file: string | undefined, find: Find, report: Report): Promise<ExitCode> {
  // Before the body is read, which may be typed in.
  await find(undefined)
  const body = parse(await readInput(file))
  const found = await find(body)
  const issues = body === undefined ? [notJson] : (found?.validator.issues(body) ?? [noEvent])
  print(found?.subject ?? 'webhook', issues, report)
  return issues.length === 0 ? 0 : 1
}

const notJson: Issue = { path: '', code: 'INVALID_BODY', message: 'must be JSON' }

const noEvent: Issue = {
  path: '',
  code: 'INVALID_FIELD',
  message: 'must have the `webhook_type` and `webhook_code` of a webhook of the contract',
}

/** The value of a JSON text, which is never undefined. */
function parse(bytes: Uint8Array): unknown {
  try {
    return JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes))
  } catch {
    return undefined
  }
}

function print(subject: string, issues: readonly Issue[], { version, json }: Report): void {
  const valid = issues.length === 0
  const lines = [`${valid ? 'valid' : 'not valid'}: ${subject}, version ${version}`]
  const width = Math.max(0, ...issues.map(({ path }) => place(path).length))
  for (const { path, code, message } of issues) {
    lines.push(`  ${place(path).padEnd(width)}  ${code}  ${message}`)
  }
  console.log(json ? toJson({ valid, subject, version, issues }) : lines.join('\n'))
}

const place = (path: string): string => path || 'the body'
