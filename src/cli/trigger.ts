import { escapeControls } from '../control-characters.ts'
import { ask, type CalledId, Rejected } from './call-service.ts'
import { type Caller, callerHelp, callerOptions, readCaller } from './caller.ts'
import { type Command, type ExitCode, program } from './command.ts'
import { eventNames, requireEvent } from './event-names.ts'
import { readOptions } from './options.ts'
import { printAsked } from './print-asked.ts'
import { toJson } from './to-json.ts'
import { UsageError } from './usage-error.ts'

const help = `usage: ${program} trigger EVENT [--set FIELD=VALUE]... [--webhook URL] [options]
       ${program} trigger --list

Makes an event happen in the sandbox, for a new Item or what else it is about. If the contract says how
the event comes about, the command does that. Otherwise, and with --set, the sandbox API fires the webhook.
The event goes to the programs that listen, and to the URL of --webhook.

  --set FIELD=VALUE     set a field of the event; may be repeated, and a dot leads into an object. The contract
                        checks the value, which is JSON or else a text
  --webhook URL         also send the event to this URL, as the service does (the programs that listen)
  --list                list the events of the contract
${callerHelp}

exit code: 0 on its way, 1 not sent, 2 wrong usage

examples:
  ${program} trigger ITEM.ERROR
  ${program} trigger TRANSACTIONS.DEFAULT_UPDATE --set new_transactions=12`

const options = {
  set: { type: 'string', multiple: true },
  webhook: { type: 'string' },
  list: { type: 'boolean', default: false },
  ...callerOptions,
} as const

/** Makes events happen in the sandbox. */
export const trigger: Command = { help, run }

interface Triggered {
  event: string
  /** The operation that made it happen. */
  by: string
}

async function run(args: string[]): Promise<ExitCode> {
  const { values, positionals } = readOptions(args, options)
  if (values.list) {
    console.log(values.json ? toJson(eventNames) : eventNames.join('\n'))
    return 0
  }
  const [text, extra] = positionals
  if (text === undefined) throw new UsageError('name an event; --list shows them all')
  if (extra !== undefined) throw new UsageError(`${extra} is one argument too many`)
  const name = requireEvent(text)
  const { webhook, set: sets = [] } = values
  const { describeEvent, documentsOf, fitFields, readFields } = await import('./webhook-fields.ts')
  const described = describeEvent(name, documentsOf())
  const fields = sets.length === 0 ? undefined : fitFields(described, readFields(sets))
  const caller = await readCaller(values.profile)
  const replay = fields === undefined && webhook === undefined ? described.replay : undefined
  const asking = replay
    ? replayEvent(caller, name, replay)
    : fire(caller, name, { fields, webhook })
  return printAsked(asking.catch(explain), (done) => {
    console.log(values.json ? toJson(done) : escapeControls(`${done.event} by ${done.by}`))
    return 0
  })
}

/** Does what the contract says of how the event comes about. */
async function replayEvent(
  caller: Caller,
  event: string,
  replay: import('../conform/replay.ts').Replay,
): Promise<Triggered> {
  const { replayCalls } = await import('../conform/replay.ts')
  const call = (operationId: string, body: object) => ask(caller, operationId as CalledId, body)
  return { event, by: await replayCalls(replay, call) }
}

interface Fired {
  fields: Record<string, unknown> | undefined
  webhook: string | undefined
}

/** An institution of the default data set, and a product that sends no webhooks of its own. */
const newItem = { institution_id: 'ins_109508', initial_products: ['auth'] }

async function fire(caller: Caller, event: string, { fields, webhook }: Fired): Promise<Triggered> {
  const options = webhook === undefined ? {} : { options: { webhook } }
  const { public_token } = await ask(caller, 'sandboxPublicTokenCreate', { ...newItem, ...options })
  const { access_token } = await ask(caller, 'itemPublicTokenExchange', { public_token })
  const [webhook_type, webhook_code] = event.split('.')
  await ask(caller, 'sandboxItemFireWebhook', {
    ...{ access_token, webhook_type, webhook_code },
    ...(fields === undefined ? {} : { override_fields: JSON.stringify(fields) }),
  })
  return { event, by: 'sandboxItemFireWebhook' }
}

const advice: Readonly<Record<string, string>> = {
  NOT_FOUND: 'this service has no sandbox API, so it makes no event happen',
  SANDBOX_WEBHOOK_INVALID: 'nobody listens: run `listen` first, or give --webhook',
}

/** What to do about an error that a caller of this command would not understand. */
function explain(error: unknown): never {
  if (error instanceof Rejected) error.message = advice[error.code] ?? error.message
  throw error
}
