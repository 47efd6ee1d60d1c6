import { escapeControls } from '../control-characters.ts'
import type { ClientCommand, ShownClient } from '../server/operator/client-command.ts'
import { askOperator, dataHelp, dataOptions, printDone, toTable } from './ask-operator.ts'
import { type Command, type ExitCode, program } from './command.ts'
import { readOptions, readSeconds, requirePlain } from './options.ts'
import { toJson } from './to-json.ts'
import { UsageError } from './usage-error.ts'

const help = `usage: ${program} client create NAME [--webhook URL] [options]
       ${program} client list [options]
       ${program} client rotate-secret ID [--grace SECONDS] [options]
       ${program} client disable ID, or client enable ID
       ${program} client features ID [--add FEATURE]... [--remove FEATURE]... [options]
       ${program} client keep-bodies ID --days DAYS, or client keep-bodies ID --none
       ${program} client set-webhook ID URL, or client set-webhook ID --none

Manages the clients that may call the service. A secret is printed once and stored as a hash. If a
service runs on the data, it uses the change at once.

  --webhook URL     send the webhooks of the client's new Items to this URL; in production a URL must start
                    with https:// and be on the public internet
  --grace SECONDS   accept the old secret for this many seconds more, up to 30 days (0)
  --add FEATURE     let the client use a feature; may be repeated
  --remove FEATURE  take a feature from the client; may be repeated
  --days DAYS       store the bodies of the client's calls for this many days in production, up to 30. The
                    values of fields are masked, but for enums, switches, times and ids
  --none            send no webhooks of new Items; with keep-bodies, store no bodies any more
${dataHelp}

exit code: 0 done, 1 not done, 2 wrong usage

examples:
  ${program} client create "Budget app" --webhook https://app.example.com/webhooks
  ${program} client rotate-secret client-0f2e9a4b7c31d58e6a90bb17 --grace 86400`

/** Manages the clients of a service. */
export const client: Command = { help, node: 24, run }

const options = {
  ...dataOptions,
  webhook: { type: 'string' },
  grace: { type: 'string' },
  add: { type: 'string', multiple: true },
  remove: { type: 'string', multiple: true },
  days: { type: 'string' },
  none: { type: 'boolean', default: false },
} as const

const longestGrace = 30 * 86400

type Values = ReturnType<typeof readOptions<typeof options>>['values']

async function run(args: string[]): Promise<ExitCode> {
  const { values, positionals } = readOptions(args, options)
  const command = toCommand(positionals, values)
  const asking = askOperator<{ clients: ShownClient[] }>(values.data, command)
  return printDone(asking, ({ clients }) => {
    if (values.json) console.log(toJson(command.client === 'list' ? clients : clients[0]))
    else console.log(command.client === 'list' ? toList(clients) : clients.map(toLines).join('\n'))
    return 0
  })
}

function toCommand([what, ...rest]: string[], values: Values): ClientCommand {
  const [id = '', extra] = rest
  const most = what === 'list' ? 0 : what === 'set-webhook' && !values.none ? 2 : 1
  if (rest.length > most) throw new UsageError(`${rest[most]} is one argument too many`)
  if (what === 'list') return { client: 'list' }
  if (what === 'create') {
    if (id === '') throw new UsageError('name the new client')
    requirePlain('the name', id)
    return { client: 'create', name: id, ...(values.webhook ? { webhook: values.webhook } : {}) }
  }
  const known = [
    'rotate-secret',
    'disable',
    'enable',
    'features',
    'keep-bodies',
    'set-webhook',
  ] as const
  const found = known.find((name) => name === what)
  if (!found) throw new UsageError(`say what to do: create, list, ${known.join(', ')}`)
  if (id === '') throw new UsageError('name the client by its id')
  if (found === 'rotate-secret') {
    const graceSeconds = readSeconds('grace', values.grace, longestGrace) ?? 0
    return { client: found, id, graceSeconds }
  }
  if (found === 'features') {
    return { client: found, id, add: values.add ?? [], remove: values.remove ?? [] }
  }
  if (found === 'keep-bodies') return { client: found, id, seconds: readKeeping(values) }
  if (found !== 'set-webhook') return { client: found, id }
  if ((extra === undefined) !== values.none) throw new UsageError('give a URL, or --none')
  return { client: found, id, webhook: extra ?? null }
}

/** In seconds; null for not at all. */
function readKeeping({ days, none }: Values): number | null {
  if ((days === undefined) !== none) throw new UsageError('give --days DAYS, or --none')
  if (days === undefined) return null
  const number = Number(days)
  if (/^\d+$/.test(days) && number >= 1 && number <= mostDays) return number * 86_400
  throw new UsageError(`--days must be a whole number from 1 to ${mostDays}`)
}

const mostDays = 30

const toList = (clients: readonly ShownClient[]): string =>
  toTable(
    ['CLIENT ID', 'NAME', 'SINCE', 'STATE'],
    clients.map((one) => [
      one.client_id,
      one.name ?? '',
      one.created_at,
      one.disabled_at === null ? 'enabled' : `disabled since ${one.disabled_at}`,
    ]),
  )

function toLines(one: ShownClient): string {
  const lines = [
    ['client id', one.client_id],
    ...(one.secret === undefined ? [] : [['secret', `${one.secret}   (shown once)`]]),
    ['name', one.name ?? ''],
    ['features', one.features.join(', ')],
    ['webhook', one.webhook ?? 'none'],
    ...(one.disabled_at === null ? [] : [['disabled since', one.disabled_at]]),
    ...(one.keeps_bodies_until === null ? [] : [['bodies until', one.keeps_bodies_until]]),
    ...(one.previous_secret_until === null
      ? []
      : [['old secret until', one.previous_secret_until]]),
  ]
  return lines
    .map(([name = '', value]) => `${name.padEnd(17)} ${escapeControls(value ?? '')}`)
    .join('\n')
}
