import { paths as dated } from '#contract/operations.ts'
import { paths as undated } from '../../generated/undated.ts'
import { escapeControls } from '../control-characters.ts'
import { hintOf } from '../nearest.ts'
import { Rejected } from './call-service.ts'
import { callerHelp, callerOptions, readCaller } from './caller.ts'
import { paint, paintStatus } from './color.ts'
import { type Command, type ExitCode, program } from './command.ts'
import { follow, untilInterrupted } from './follow.ts'
import { readOptions } from './options.ts'
import { tellError } from './tell-error.ts'
import { toJson } from './to-json.ts'
import { UsageError } from './usage-error.ts'

const help = `usage: ${program} logs tail [--operation ID]... [--status STATUS]... [options]

Prints the calls of a client as the service answers them, one line each, about two seconds later. Ends
with Ctrl-C.

  --operation ID        print calls of this operation, named by its operationId; may be repeated (all)
  --status STATUS       print calls with this status, such as 400 or 4xx; may be repeated (all)
${callerHelp}

exit code: 0 ended by a signal, 1 the service rejects the calls, 2 wrong usage

examples:
  ${program} logs tail
  ${program} logs tail --operation transactionsSync --status 4xx --json`

const options = {
  operation: { type: 'string', multiple: true },
  status: { type: 'string', multiple: true },
  ...callerOptions,
} as const

/** Follows the calls of a client. */
export const logs: Command = { help, run }

interface Call {
  at: string
  request_id: string
  operation_id: string
  path: string
  version: string
  status: number
  error_code: string | null
  duration_ms: number
}

async function run(args: string[]): Promise<ExitCode> {
  const { values, positionals } = readOptions(args, options)
  if (positionals.join(' ') !== 'tail') throw new UsageError('say what to do: tail')
  const { operation: operations = [], status: statuses = [], json, profile } = values
  operations.forEach(requireOperation)
  statuses.forEach(requireStatus)
  const isWanted = (call: Call): boolean =>
    (operations.length === 0 || operations.includes(call.operation_id)) &&
    (statuses.length === 0 || statuses.some((status) => isOf(call.status, status)))
  const caller = await readCaller(profile)
  try {
    await follow<Call>(caller, {
      operationId: 'requestsTail',
      entriesOf: (body) => body['requests'] as Call[],
      onReady: () => tellError(`follows the calls of ${caller.clientId} at ${caller.base}`),
      onEntry(call) {
        if (isWanted(call)) console.log(json ? toJson(call) : toLine(call))
      },
      signal: untilInterrupted(),
    })
  } catch (error) {
    if (!(error instanceof Rejected)) throw error
    tellError(error.message)
    return 1
  }
  return 0
}

const known: readonly string[] = Object.keys({ ...dated, ...undated })

function requireOperation(id: string): void {
  if (known.includes(id)) return
  throw new UsageError(`--operation: there is no operation ${id}${hintOf(id, known)}`)
}

function requireStatus(status: string): void {
  if (/^[1-5](\d\d|xx)$/i.test(status)) return
  throw new UsageError('--status must be a status such as 400, or 4xx')
}

const isOf = (status: number, wanted: string): boolean =>
  new RegExp(`^${wanted.replaceAll(/x/gi, '\\d')}$`).test(String(status))

function toLine({ at, status, operation_id, duration_ms, error_code, request_id }: Call): string {
  const parts = [operation_id, `${duration_ms} ms`, error_code, request_id].filter(Boolean)
  return `${paint('dim', at)}  ${paintStatus(status)}  ${escapeControls(parts.join('  '))}`
}
