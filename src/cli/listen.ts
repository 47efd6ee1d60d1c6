import { headerNames } from '#contract/operations.ts'
import { escapeControls } from '../control-characters.ts'
import { Rejected } from './call-service.ts'
import { callerHelp, callerOptions, readCaller } from './caller.ts'
import { paint, paintStatus } from './color.ts'
import { type Command, type ExitCode, program } from './command.ts'
import { requireEvent } from './event-names.ts'
import { follow, untilInterrupted } from './follow.ts'
import { readOptions } from './options.ts'
import { tellError } from './tell-error.ts'
import { toJson } from './to-json.ts'
import { UsageError } from './usage-error.ts'

const help = `usage: ${program} listen [--forward-to URL] [--events NAME,NAME] [options]

Gets the webhooks of a client, and sends each to a local URL, with its exact body and signature. The
client needs no webhook address. Prints one line for each webhook, with the status of the local answer.
Several programs can listen at once, and each gets every webhook. Ends with Ctrl-C.

  --forward-to URL      send each webhook to this URL as a POST (off: print only)
  --events NAME,NAME    take only these events, such as ITEM.ERROR (all)
${callerHelp}

exit code: 0 ended by a signal, 1 the service rejects the calls, 2 wrong usage

examples:
  ${program} listen --forward-to http://127.0.0.1:3000/webhooks
  ${program} listen --events ITEM.ERROR,LOGIN_REPAIRED --json`

const options = {
  'forward-to': { type: 'string' },
  events: { type: 'string', multiple: true },
  ...callerOptions,
} as const

/** Sends the webhooks of a client to a local URL. */
export const listen: Command = { help, run }

/** A webhook as the service returns it. */
interface Listened {
  webhook_id: string
  webhook_type: string
  webhook_code: string
  body: string
  signature: string
}

/** What became of a webhook. */
interface Told extends Omit<Listened, 'body' | 'signature'> {
  at: string
  status: number | null
  error: string | null
  duration_ms: number | null
}

async function run(args: string[]): Promise<ExitCode> {
  const { values, positionals } = readOptions(args, options)
  if (positionals.length > 0) throw new UsageError(`${positionals[0]} is one argument too many`)
  const given = values['forward-to']
  const url = given === undefined ? undefined : readTarget(given)
  const names = (values.events ?? []).flatMap((text) => text.split(',')).map(requireEvent)
  const caller = await readCaller(values.profile)
  const { base, clientId } = caller
  const signal = untilInterrupted()
  const where = url === undefined ? '' : `, and sends them to ${url}`
  try {
    await follow<Listened>(caller, {
      operationId: 'webhookListen',
      entriesOf: (body) => body['webhooks'] as Listened[],
      onReady: () => tellError(`listens for the webhooks of ${clientId} at ${base}${where}`),
      async onEntry(webhook) {
        const { body, signature, ...shown } = webhook
        const isWanted = names.length === 0 || names.includes(nameOf(webhook))
        if (!isWanted) return
        const at = new Date().toISOString()
        const outcome = url === undefined ? notSent : await forward(url, webhook, signal)
        if (signal.aborted) return
        const told = { at, ...shown, ...outcome }
        console.log(values.json ? toJson(told) : toLine(told))
      },
      signal,
    })
  } catch (error) {
    if (!(error instanceof Rejected)) throw error
    tellError(error.message)
    return 1
  }
  return 0
}

/** With its query, and its slash at the end. */
function readTarget(text: string): string {
  const url = URL.parse(text)
  if (url && /^https?:$/.test(url.protocol) && !url.username && !url.password) return url.href
  throw new UsageError('--forward-to must be an http or https URL without credentials')
}

const notSent = { status: null, error: null, duration_ms: null }

/** As long as the service itself waits for a receiver. */
const timeoutMs = 10_000

async function forward(
  url: string,
  { body, signature }: Listened,
  signal: AbortSignal,
): Promise<Pick<Told, 'status' | 'error' | 'duration_ms'>> {
  const begun = performance.now()
  const durationOf = () => Math.round(performance.now() - begun)
  try {
    const response = await fetch(url, {
      method: 'POST',
      redirect: 'manual',
      headers: {
        'Content-Type': 'application/json',
        'User-Agent': 'financial-data-service',
        [headerNames.signature]: signature,
      },
      body,
      signal: AbortSignal.any([signal, AbortSignal.timeout(timeoutMs)]),
    })
    await response.body?.cancel()
    return { status: response.status, error: null, duration_ms: durationOf() }
  } catch (error) {
    return { status: null, error: reasonOf(error as Error), duration_ms: durationOf() }
  }
}

function reasonOf(error: Error): string {
  if (error.name === 'TimeoutError') return `no answer within ${timeoutMs / 1000} seconds`
  const { code, message } = (error.cause ?? error) as NodeJS.ErrnoException
  return code === 'ECONNREFUSED' ? 'connection refused' : (code ?? message)
}

const nameOf = ({ webhook_type, webhook_code }: Pick<Listened, 'webhook_type' | 'webhook_code'>) =>
  `${webhook_type}.${webhook_code}`

function toLine(told: Told): string {
  const { at, webhook_id, status, error, duration_ms } = told
  const outcome =
    status === null
      ? error === null
        ? ''
        : paint('red', escapeControls(error))
      : `${paintStatus(status)} ${paint('dim', `${duration_ms} ms`)}`
  const names = escapeControls(`${nameOf(told)}  ${webhook_id}`)
  return `${paint('dim', timeOf(at))}  ${names}  ${outcome}`.trimEnd()
}

const timeOf = (at: string): string => at.slice(11, 19)
