import type {
  AccessDone,
  ShownAccess,
  SimplefinCommand,
} from '../server/operator/simplefin-command.ts'
import { askOperator, dataHelp, dataOptions, printDone, toTable } from './ask-operator.ts'
import { type Command, type ExitCode, program } from './command.ts'
import { readOptions, requirePlain } from './options.ts'
import { toJson } from './to-json.ts'
import { UsageError } from './usage-error.ts'

const help = `usage: ${program} simplefin create NAME --item ID | --client ID [options]
       ${program} simplefin list [options]
       ${program} simplefin revoke ID [options]

Lets another program read accounts by the SimpleFIN protocol. \`create\` prints a setup token, once. Paste it into
the program within 24 hours. The program can then read balances and transactions, and nothing else.

  --item ID       show the accounts of this Item; with \`list\`, list the access to this Item only
  --client ID     show the accounts of all Items of this client; with \`list\`, list its access only
${dataHelp}

exit code: 0 done, 1 not done, 2 wrong usage

examples:
  ${program} simplefin create 'Budget on my laptop' --item Zr3vWpbA8kQ5mT1nYx0cEoJd7LgUhS2iFfKqB
  ${program} simplefin list`

/** Manages the access of other programs by the SimpleFIN protocol. */
export const simplefin: Command = { help, node: 24, run }

const options = {
  ...dataOptions,
  item: { type: 'string' },
  client: { type: 'string' },
} as const

type Values = ReturnType<typeof readOptions<typeof options>>['values']

async function run(args: string[]): Promise<ExitCode> {
  const { values, positionals } = readOptions(args, options)
  const command = toCommand(positionals, values)
  return printDone(askOperator<AccessDone>(values.data, command), (done) => {
    print(command, done, values.json)
    return 0
  })
}

function toCommand(words: string[], { item, client }: Values): SimplefinCommand {
  const [what, subject, extra] = words
  if (extra !== undefined) throw new UsageError(`${extra} is one argument too many`)
  if (what === 'list' && subject === undefined) {
    return {
      simplefin: 'list',
      ...(item === undefined ? {} : { item }),
      ...(client === undefined ? {} : { client_id: client }),
    }
  }
  if (what === 'revoke') {
    return { simplefin: 'revoke', id: subject ?? missing('name the access by its id') }
  }
  if (what !== 'create') throw new UsageError('say what to do: create, list or revoke')
  requirePlain('the name', subject)
  const name = subject ?? missing('give the access a name, such as that of the program')
  if ((item === undefined) === (client === undefined)) {
    throw new UsageError('give either --item ID or --client ID')
  }
  if (item !== undefined) return { simplefin: 'create', name, item }
  return { simplefin: 'create', name, client_id: client ?? '' }
}

function missing(message: string): never {
  throw new UsageError(message)
}

function print(command: SimplefinCommand, { access, setup_token }: AccessDone, json: boolean) {
  const [one] = access
  if (json) {
    const shown =
      command.simplefin === 'list' ? access : { ...one, ...(setup_token ? { setup_token } : {}) }
    console.log(toJson(shown))
  } else if (setup_token === undefined) console.log(toList(access))
  else console.log(`access       ${one?.id}\nsetup token  ${setup_token}   (shown once)`)
}

const toList = (access: readonly ShownAccess[]): string =>
  toTable(
    ['ID', 'CLIENT ID', 'ITEM ID', 'NAME', 'STATUS', 'LAST USED'],
    access.map((one) => [
      one.id,
      one.client_id,
      one.item_id ?? 'all',
      one.name,
      one.status,
      one.used_at ?? 'never',
    ]),
  )
