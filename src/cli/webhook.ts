import type { WebhookCommand, WebhooksDone } from '../server/operator/webhook-command.ts'
import { askOperator, dataHelp, dataOptions, printDone, toTable } from './ask-operator.ts'
import { type Command, type ExitCode, program } from './command.ts'
import { readOptions } from './options.ts'
import { toJson } from './to-json.ts'
import { UsageError } from './usage-error.ts'

const help = `usage: ${program} webhook list [--client ID] [--count N] [options]
       ${program} webhook redeliver WEBHOOK_ID --client ID [options]

Lists the latest webhooks, with their attempts and the reason why the last attempt failed. Sends one
webhook again. If a service runs on the data, it sends the webhook at once. Otherwise its next start does.

  --client ID     list the webhooks of one client; required to send one again
  --count N       list at most this many, up to 1000 (50)
${dataHelp}

exit code: 0 done, 1 not done, 2 wrong usage

examples:
  ${program} webhook list --client client-0f2e9a4b7c31d58e6a90bb17
  ${program} webhook redeliver 019a7c52-6c1f-7e11-a2f3-0c9d5e1b7a34 --client client-0f2e9a4b7c31d58e6a90bb17`

const keyHelp = `usage: ${program} webhook-key rotate [--client ID] [options]

Makes a new key that signs the webhooks of a client. Without --client, makes a key for each client.
Receivers can still fetch earlier keys, to verify webhooks that these keys signed.

  --client ID     make a key for one client (all clients)
${dataHelp}

exit code: 0 done, 1 not done, 2 wrong usage

examples:
  ${program} webhook-key rotate
  ${program} webhook-key rotate --client client-0f2e9a4b7c31d58e6a90bb17`

/** Lists webhooks of a client, and sends them again. */
export const webhook: Command = { help, node: 24, run }

/** Rotates the key that signs the webhooks of a client. */
export const webhookKey: Command = { help: keyHelp, node: 24, run: runKey }

const keyOptions = { ...dataOptions, client: { type: 'string' } } as const
const options = { ...keyOptions, count: { type: 'string', default: '50' } } as const
const mostListed = 1000

async function run(args: string[]): Promise<ExitCode> {
  const { values, positionals } = readOptions(args, options)
  const command = toCommand(positionals, values.client, values.count)
  return ask(values, command)
}

async function runKey(args: string[]): Promise<ExitCode> {
  const { values, positionals } = readOptions(args, keyOptions)
  if (positionals.join(' ') !== 'rotate') throw new UsageError('say what to do: rotate')
  return ask(values, { webhook_key: 'rotate', ...ofClient(values.client) })
}

const ask = (
  { data, json, client }: { data?: string | undefined; json: boolean; client?: string | undefined },
  command: WebhookCommand,
): Promise<ExitCode> =>
  printDone(askOperator<WebhooksDone>(data, command), (done) => {
    console.log(
      json
        ? toJson('keys' in done && client !== undefined ? done.keys[0] : done)
        : toText(done, 'webhook' in command && command.webhook === 'redeliver'),
    )
    return 0
  })

const ofClient = (client_id: string | undefined) => (client_id === undefined ? {} : { client_id })

function toCommand(
  [what, id, extra]: string[],
  client_id: string | undefined,
  count: string,
): WebhookCommand {
  if (extra !== undefined) throw new UsageError(`${extra} is one argument too many`)
  if (what === 'redeliver') {
    if (id === undefined) throw new UsageError('name the webhook by its id')
    if (client_id === undefined) throw new UsageError('name the client with --client')
    return { webhook: 'redeliver', client_id, id }
  }
  if (what !== 'list' || id !== undefined) throw new UsageError('say what to do: list or redeliver')
  const most = Number(count)
  if (!Number.isInteger(most) || most < 1 || most > mostListed) {
    throw new UsageError(`--count must be a whole number from 1 to ${mostListed}`)
  }
  return { webhook: 'list', ...ofClient(client_id), count: most }
}

function toText(done: WebhooksDone, isAgain: boolean): string {
  if ('keys' in done) {
    return done.keys
      .map(({ client_id, key_id }) => `webhooks of ${client_id} are signed with the key ${key_id}`)
      .join('\n')
  }
  if (isAgain) return 'the webhook is sent again'
  return toTable(
    ['WEBHOOK ID', 'CLIENT ID', 'CODE', 'STATUS', 'ATTEMPTS', 'NEXT ATTEMPT', 'URL', 'LAST ERROR'],
    done.webhooks.map((one) => [
      one.webhook_id,
      one.client_id,
      one.code,
      one.status,
      String(one.attempts),
      one.next_attempt_at ?? '',
      one.url,
      one.last_error ?? '',
    ]),
  )
}
