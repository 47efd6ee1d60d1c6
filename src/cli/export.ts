import { once } from 'node:events'
import {
  type ExportOrder,
  exportFormats,
  exportItem,
  type LeftOut,
  UnknownAccount,
} from '../exports/export-item.ts'
import type { ExportDone } from '../server/operator/export-command.ts'
import { askOperator, printDone } from './ask-operator.ts'
import { type Command, type ExitCode, program } from './command.ts'
import { dataHelp } from './data-place.ts'
import { readOptions } from './options.ts'
import { UsageError } from './usage-error.ts'

const help = `usage: ${program} export --item ITEM_ID --format FORMAT [options] > FILE

Prints the transactions of an Item as a file for other programs. Money into the account is positive.
The audit log gets an entry.

  --item ID       the Item: \`item list\` shows all
  --format NAME   ofx (OFX 2.2, with balances) or csv (one row for each transaction)
  --account ID    print one account of the Item only
${dataHelp}

OFX has posted transactions of bank, card and loan accounts only, in the currency of the account. Standard error
says what is left out. In CSV, an apostrophe stands before a text that a spreadsheet would take as a formula.

exit code: 0 done, 1 not done, 2 wrong usage

examples:
  ${program} export --item Zr3vWpbA8kQ5mT1nYx0cEoJd7LgUhS2iFfKqB --format ofx > accounts.ofx
  ${program} export --item Zr3vWpbA8kQ5mT1nYx0cEoJd7LgUhS2iFfKqB --format csv > transactions.csv`

/** Prints the data of an Item in a format that other programs read. */
export const exportCommand: Command = { help, node: 24, run }

const options = {
  data: { type: 'string' },
  item: { type: 'string' },
  format: { type: 'string' },
  account: { type: 'string' },
} as const

async function run(args: string[]): Promise<ExitCode> {
  const { values, positionals } = readOptions(args, options)
  const { item, account, format = '' } = values
  if (positionals.length > 0) throw new UsageError('name the Item with --item')
  if (item === undefined) throw new UsageError('--item must name an Item')
  if (!isFormat(format)) throw new UsageError('--format must be ofx or csv')
  return printDone(print(values.data, { item, account, format }), (leftOut) => {
    tellLeftOut(leftOut)
    return 0
  })
}

const isFormat = (name: string): name is ExportOrder['format'] => Object.hasOwn(exportFormats, name)

async function print(data: string | undefined, order: ExportOrder): Promise<LeftOut> {
  const pieces = exportItem(order, (command) => askOperator<ExportDone>(data, command))
  try {
    for (;;) {
      const { value, done } = await pieces.next()
      if (done) return value
      // Waits while the reader of a pipe is slower.
      if (!process.stdout.write(value)) await once(process.stdout, 'drain')
    }
  } catch (error) {
    if (!(error instanceof UnknownAccount)) throw error
    throw new UsageError('--account must be the id of an account of the Item')
  }
}

function tellLeftOut({ accounts, pending, foreign }: LeftOut): void {
  const parts = [
    accounts > 0 && `${accounts} accounts that OFX has no statement for`,
    pending > 0 && `${pending} pending transactions`,
    foreign > 0 && `${foreign} transactions in another currency than their account`,
  ].filter(Boolean)
  if (parts.length > 0) console.error(`left out: ${parts.join(', ')}`)
}
