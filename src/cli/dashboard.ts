import { escapeControls } from '../control-characters.ts'
import type {
  DashboardCommand,
  ShownUser,
  UsersDone,
} from '../server/operator/dashboard-command.ts'
import { askOperator, dataHelp, dataOptions, printDone, toTable } from './ask-operator.ts'
import { type Command, type ExitCode, program } from './command.ts'
import { readOptions } from './options.ts'
import { toJson } from './to-json.ts'
import { UsageError } from './usage-error.ts'

const help = `usage: ${program} dashboard user create EMAIL --client ID [--role ROLE] [options]
       ${program} dashboard user create EMAIL --operator [--role ROLE] [options]
       ${program} dashboard user list [options]
       ${program} dashboard user disable ID [options]
       ${program} dashboard sign-in ID [options]

Manages the users of the dashboard. A new user gets a link that signs them in. The link works once, for 24 hours. \`sign-in\` makes another
one. \`disable\` ends all sessions of a user at once.

  --client ID     let the user see the data of this client
  --operator      let the user see the data of all clients
  --role ROLE     reviewer, developer or admin (reviewer; admin with --operator)
${dataHelp}

exit code: 0 done, 1 not done, 2 wrong usage

examples:
  ${program} dashboard user create ada@lender.example.com --client client-0f2e9a4b7c31d58e6a90bb17 --role admin
  ${program} dashboard user create ops@bank.example.com --operator`

/** Manages the users of the dashboard. */
export const dashboard: Command = { help, node: 24, run }

const options = {
  ...dataOptions,
  client: { type: 'string' },
  operator: { type: 'boolean', default: false },
  role: { type: 'string' },
} as const

type Values = ReturnType<typeof readOptions<typeof options>>['values']

const roles = ['reviewer', 'developer', 'admin'] as const

async function run(args: string[]): Promise<ExitCode> {
  const { values, positionals } = readOptions(args, options)
  const command = toCommand(positionals, values)
  return printDone(askOperator<UsersDone>(values.data, command), ({ users }) => {
    const isList = command.dashboard === 'list'
    if (values.json) console.log(toJson(isList ? users : users[0]))
    else console.log(isList ? toList(users) : users.map(toLines).join('\n'))
    return 0
  })
}

function toCommand(words: string[], values: Values): DashboardCommand {
  const [what, id, extra] = words[0] === 'user' ? words.slice(1) : words
  if (extra !== undefined) throw new UsageError(`${extra} is one argument too many`)
  if (words[0] === 'sign-in') return { dashboard: 'sign-in', id: requireId(id) }
  if (words[0] !== 'user') throw new UsageError('say what to do: user or sign-in')
  if (what === 'disable') return { dashboard: 'disable', id: requireId(id) }
  if (what === 'list' && id === undefined) return { dashboard: 'list' }
  if (what !== 'create') throw new UsageError('say what to do: create, list or disable')
  if (id === undefined) throw new UsageError('name the new user by an e-mail address')
  if ((values.client === undefined) !== values.operator) {
    throw new UsageError('give either --client ID or --operator')
  }
  const role = readRole(values.role ?? (values.operator ? 'admin' : 'reviewer'))
  const ofClient = values.client === undefined ? {} : { client_id: values.client }
  return { dashboard: 'create', email_address: id, role, ...ofClient }
}

function requireId(id: string | undefined): string {
  if (id === undefined) throw new UsageError('name the user by their id')
  return id
}

function readRole(text: string): (typeof roles)[number] {
  const role = roles.find((one) => one === text)
  if (role === undefined) throw new UsageError(`--role must be one of: ${roles.join(', ')}`)
  return role
}

const toList = (users: readonly ShownUser[]): string =>
  toTable(
    ['USER ID', 'CLIENT ID', 'E-MAIL', 'ROLE', 'STATUS', 'SINCE'],
    users.map((one) => [
      one.id,
      one.client_id ?? 'all',
      one.email_address ?? '',
      one.role,
      one.status,
      one.created_at,
    ]),
  )

const toLines = (one: ShownUser): string =>
  [
    ['user id', one.id],
    ['client', one.client_id ?? 'all clients'],
    ['e-mail', one.email_address ?? ''],
    ['role', one.role],
    ['status', one.status],
    ...(one.link === undefined ? [] : [['sign-in link', `${one.link}   (works once)`]]),
  ]
    .map(([name = '', value = '']) => `${name.padEnd(13)} ${escapeControls(value)}`)
    .join('\n')
