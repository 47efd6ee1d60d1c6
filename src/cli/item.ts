import { escapeControls } from '../control-characters.ts'
import type { ItemCommand, ItemsDone, ShownItem } from '../server/operator/item-command.ts'
import { askOperator, dataHelp, dataOptions, printDone, toTable } from './ask-operator.ts'
import { type Command, type ExitCode, program } from './command.ts'
import { readOptions } from './options.ts'
import { toJson } from './to-json.ts'
import { UsageError } from './usage-error.ts'

const help = `usage: ${program} item list [--client ID] [options]
       ${program} item show ITEM_ID [options]
       ${program} item refresh ITEM_ID [options]
       ${program} item remove ITEM_ID [options]
       ${program} item access-token ITEM_ID [options]

Lists, shows, refreshes and removes Items of all clients. \`access-token\` makes a new access token
and prints it once; the old one ends at once.

  --client ID     list the Items of one client
${dataHelp}

exit code: 0 done, 1 not done, 2 wrong usage

examples:
  ${program} item list --client client-0f2e9a4b7c31d58e6a90bb17
  ${program} item access-token Zr3vWpbA8kQ5mT1nYx0cEoJd7LgUhS2iFfKqB`

/** Manages the Items of a service. */
export const item: Command = { help, node: 24, run }

const options = { ...dataOptions, client: { type: 'string' } } as const

async function run(args: string[]): Promise<ExitCode> {
  const { values, positionals } = readOptions(args, options)
  const command = toCommand(positionals, values.client)
  return printDone(askOperator<ItemsDone>(values.data, command), (done) => {
    if (values.json) {
      const { items, ...rest } = done
      console.log(toJson(command.item === 'list' ? items : { ...items[0], ...rest }))
    } else console.log(toText(done, command.item === 'list'))
    return 0
  })
}

function toCommand([what, id, extra]: string[], client: string | undefined): ItemCommand {
  if (what === 'list') {
    if (id !== undefined) throw new UsageError('list takes no Item: name a client with --client')
    return { item: 'list', ...(client === undefined ? {} : { client_id: client }) }
  }
  const known = ['show', 'refresh', 'remove', 'access-token'] as const
  const found = known.find((name) => name === what)
  if (!found) throw new UsageError(`say what to do: list, ${known.join(', ')}`)
  if (id === undefined || extra !== undefined) throw new UsageError('name one Item by its id')
  return { item: found, id }
}

function toText({ items, access_token }: ItemsDone, isList: boolean): string {
  if (isList) {
    return toTable(
      ['ITEM ID', 'CLIENT ID', 'INSTITUTION', 'SOURCE', 'STATE'],
      items.map((one) => [
        one.item_id,
        one.client_id,
        one.institution_name ?? '',
        one.connector ?? 'seed data',
        one.removed_at === null ? (one.health_error ?? 'healthy') : `removed ${one.removed_at}`,
      ]),
    )
  }
  const [one] = items
  const { signs, reads, ...rest }: Partial<ShownItem> = { ...one }
  const lines = Object.entries(rest).map(([name, value]) => [name, String(value ?? 'none')])
  if (reads) lines.push(...toReadLines(reads))
  for (const { account_name, format, debt, charges } of signs ?? []) {
    const said = [debt && `debt ${debt}`, charges && `charges ${charges}`].filter(Boolean)
    lines.push(['signs', `${account_name}, ${format}: ${said.join(', ')}`])
  }
  if (access_token !== undefined) lines.push(['access_token', `${access_token}   (shown once)`])
  return lines
    .map(([name = '', value]) => `${name.padEnd(17)} ${escapeControls(value ?? '')}`)
    .join('\n')
}

function toReadLines({ next_at, last_at, failure, failures, notices }: Reads): string[][] {
  const failed = failure === null ? [] : [['last failure', `${failure}, ${failures} in a row`]]
  return [
    ['next read', next_at],
    ['last read', last_at ?? 'none'],
    ...failed,
    ...notices.map((notice) => ['notice', notice]),
  ]
}

type Reads = NonNullable<ShownItem['reads']>
