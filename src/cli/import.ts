import { createReadStream } from 'node:fs'
import { basename } from 'node:path'
import { AccountKind } from '../../generated/account-kinds/validators/account-kind.js'
import { escapeControls } from '../control-characters.ts'
import { fileInstitutionId } from '../institution-list/built-in.ts'
import type { ImportOrder } from '../server/operator/import-file.ts'
import type { ImportReport } from '../server/operator/import-report.ts'
import { UnfinishedImport } from '../server/operator/unfinished-import.ts'
import { isOwed } from '../server/sources/account-kind.ts'
import type { Signs } from '../server/sources/signs.ts'
import { originOf } from '../statements/csv/origin.ts'
import { type ReadOptions, readStatement } from '../statements/read-statement.ts'
import { issueCodes } from '../statements/statement.ts'
import { toAmount } from '../statements/values.ts'
import { askOperator, dataHelp, dataOptions, printDone, toTable } from './ask-operator.ts'
import { type Command, type ExitCode, program } from './command.ts'
import { readOptions, requirePlain } from './options.ts'
import { statementHelp, statementOptions, tellUnread, toReadOptions } from './statement-options.ts'
import { tellError } from './tell-error.ts'
import { toJson } from './to-json.ts'
import { UsageError } from './usage-error.ts'

const help = `usage: ${program} import FILE... --client ID --user CLIENT_USER_ID [options]
       ${program} import FILE... --client ID --item ITEM_ID [options]

Imports the accounts and bookings of a bank's files into an Item. Files of the same client, user and
institution go into the same Item. For a new Item it prints a public token, once. Importing a file
again changes nothing. A service may run on the data meanwhile.

  --client ID         the client whose Item it is
  --user ID           the client's own id of the user
  --item ITEM_ID      import into this Item of an earlier import, instead of --user
  --institution ID    an institution that the service lists and the connector file serves
                      (${fileInstitutionId}, "A file from my bank")
  --account KIND      the type of new accounts if the file does not name it, such as depository/checking
  --balance AMOUNT    the current balance of a new account if the file has none; debt on a card
                      or a loan is a negative amount, such as -12.50
  --debt SIGN         the sign of what is owed on a card or a loan in the file: negative or positive
  --charges SIGN      the sign of bookings that add to it, such as purchases: negative or positive
                      Both are stored with the cards and loans of the file, for its format (negative)
  --partial           also import statements that can be read only in part
  --dry-run           print what the import would do, and change nothing
${statementHelp}
${dataHelp}

exit code: 0 all was imported, 1 some of it was not, 2 wrong usage or no statement

examples:
  ${program} import january.ofx --client client-0f2e9a4b7c31d58e6a90bb17 --user ada
  ${program} import *.sta --client client-0f2e9a4b7c31d58e6a90bb17 --user ada --account depository/checking`

/** Imports files of banks. */
export const importCommand: Command = { help, node: 24, run }

const options = {
  ...dataOptions,
  ...statementOptions,
  client: { type: 'string' },
  user: { type: 'string' },
  item: { type: 'string' },
  institution: { type: 'string' },
  account: { type: 'string' },
  balance: { type: 'string' },
  debt: { type: 'string' },
  charges: { type: 'string' },
  partial: { type: 'boolean', default: false },
  'dry-run': { type: 'boolean', default: false },
} as const

type Values = ReturnType<typeof readOptions<typeof options>>['values']

async function run(args: string[]): Promise<ExitCode> {
  const { values, positionals } = readOptions(args, options)
  if (positionals.length === 0) throw new UsageError('name the files to import')
  const order = toOrder(values)
  const chosen = await toReadOptions(values).catch((error: unknown) => tell(error, 'import'))
  if (chosen === 2) return chosen
  const codes = new Set<ExitCode>()
  for (const name of positionals) codes.add(await importOne(name, order, { chosen, values }))
  const [code = 0, ...others] = codes
  return others.length === 0 ? code : 1
}

type Order = Omit<ImportOrder, 'origin' | 'file'>

interface How {
  chosen: ReadOptions
  values: Values
}

async function importOne(name: string, order: Order, { chosen, values }: How): Promise<ExitCode> {
  try {
    const file = await readStatement(createReadStream(name), chosen)
    tellUnused(name, file.format, values)
    const origin = originOf(file.format, chosen.mapping)
    const command = { import: { ...order, origin, file: basename(name) } }
    return await printDone(askOperator<ImportReport>(values.data, command, file.events), (done) =>
      print(name, done, values),
    )
  } catch (error) {
    if (!(error instanceof UnfinishedImport)) return tellFile(error, name)
    print(name, error.report, values, error.message)
    return await printDone<never>(Promise.reject(error.cause), () => 1).catch((cause: unknown) => {
      tell(cause, name)
      return 1
    })
  }
}

/** Tells which options say nothing of a file: other formats name account and currency themselves. */
function tellUnused(name: string, format: string, values: Values): void {
  if (format === 'csv') return
  const unused = (['account-id', 'currency'] as const).filter((one) => values[one] !== undefined)
  for (const one of unused) tellError(`${name}: --${one} is for CSV, and this file is ${format}`)
}

const tell = (error: unknown, name: string): 2 =>
  tellUnread(error, name, `the command "statement ${name}" proposes one`)

/** Also tells of a file that cannot be opened, so that the others are imported. */
function tellFile(error: unknown, name: string): ExitCode {
  try {
    return tell(error, name)
  } catch (reason) {
    if (!(reason instanceof UsageError)) throw reason
    tellError(reason.message)
    return 2
  }
}

function toOrder(values: Values): Order {
  const { client: client_id, user, item: item_id, institution = fileInstitutionId } = values
  if (client_id === undefined) throw new UsageError('name the client with --client')
  if ((user === undefined) === (item_id === undefined)) {
    throw new UsageError("give the client's own id of the user with --user, or an Item with --item")
  }
  if (user === '' || (user?.length ?? 0) > 128) {
    throw new UsageError('--user must have 1 to 128 characters')
  }
  requirePlain('--user', user)
  return {
    client_id,
    client_user_id: user ?? '',
    institution_id: institution,
    ...(item_id === undefined ? {} : { item_id }),
    ...(values.account === undefined ? {} : { kind: readKind(values.account) }),
    ...(values.balance === undefined ? {} : { balance: readBalance(values.balance) }),
    ...readSigns(values),
    partial: values.partial,
    dryRun: values['dry-run'],
  }
}

function readKind(text: string): { type: string; subtype: string } {
  const [type = '', subtype = '', more] = text.split('/')
  if (more === undefined && AccountKind.is({ type, subtype })) return { type, subtype }
  throw new UsageError(
    '--account must be a type and a subtype of the contract, such as depository/checking or credit/credit card',
  )
}

/** The signs that are said: those that are not said stay as they are. */
function readSigns({ debt, charges }: Values): Pick<Order, 'signs'> {
  const given = Object.entries({ debt, charges }).filter(([, sign]) => sign !== undefined)
  for (const [name, sign] of given) {
    if (sign === 'negative' || sign === 'positive') continue
    throw new UsageError(`--${name} must be negative or positive`)
  }
  return given.length === 0 ? {} : { signs: Object.fromEntries(given) as Signs }
}

function readBalance(text: string): number {
  try {
    return Number(toAmount(text, '--balance').replace('.', ''))
  } catch (error) {
    throw new UsageError((error as Error).message)
  }
}

function print(name: string, done: ImportReport, values: Values, error?: string): ExitCode {
  if (values.json) console.log(toJson({ file: name, ...done, error }))
  else printLines(name, done, values)
  const { accounts, skipped, issues } = done
  if (accounts.length === 0 && skipped.length === 0) {
    if (error === undefined) tellError(`${name}: the file holds no statement that can be read`)
    return 2
  }
  return skipped.length === 0 && issues.every(({ code }) => !issueCodes[code].lost) ? 0 : 1
}

function printLines(name: string, done: ImportReport, values: Values): void {
  const { accounts, public_token, skipped, issues } = done
  if (values.balance !== undefined && accounts.length > 0 && !accounts.some(isNew)) {
    tellError(`${name}: --balance is for new accounts, and this file has none`)
  }
  const signs = (['debt', 'charges'] as const).filter((one) => values[one] !== undefined)
  for (const one of accounts.length > 0 && !accounts.some(isOfDebt) ? signs : []) {
    tellError(`${name}: --${one} is for cards and loans, and this file has none`)
  }
  if (accounts.length > 0) {
    console.log(`${escapeControls(name)} ${placeOf(done, values)}`)
    console.log(toCounts(accounts))
    for (const account of accounts) tellAlike(account)
  } else if (skipped.length > 0) console.log(`${escapeControls(name)}: nothing was imported`)
  for (const { account, reason } of skipped) {
    tellError(`left out${account === null ? '' : ` (account ${account})`}: ${reason}`)
  }
  for (const { line, message } of issues) {
    const text = line === undefined ? message : `line ${line}: ${message}`
    // Why a statement was left out was told above.
    if (!skipped.some(({ reason }) => reason === text)) tellError(text)
  }
  if (public_token !== undefined) {
    console.log(`public token   ${public_token}   (shown once; exchange it within 30 minutes)`)
  }
}

/** Says that an account may have been made a second time. */
function tellAlike({ name, alike }: ImportReport['accounts'][number]): void {
  if (alike === undefined) return
  tellError(
    `${name} is a new account, and the number of one stands in the IBAN of the other: ${alike}. If both are one account, its bookings are there twice: keep to one of the two formats`,
  )
}

const isOfDebt = (one: ImportReport['accounts'][number]): boolean => isOwed(one.type)
const isNew = (one: ImportReport['accounts'][number]): boolean => one.is_new

function placeOf({ item_id }: ImportReport, values: Values): string {
  const words = values['dry-run'] ? 'would be imported into' : 'is in'
  return item_id === null ? `${words} a new Item` : `${words} Item ${item_id}`
}

const toCounts = (accounts: ImportReport['accounts']): string =>
  toTable(
    ['ACCOUNT', '', 'NEW', 'KNOWN', 'MERGED', 'CHANGED', 'REMOVED', 'DOUBTFUL'],
    accounts.map((one) => [
      one.name,
      one.is_new ? 'new' : '',
      ...[one.new, one.known, one.merged, one.changed, one.removed, one.doubtful].map(String),
    ]),
  )
