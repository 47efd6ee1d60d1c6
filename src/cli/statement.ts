import { createReadStream } from 'node:fs'
import { pipeline } from 'node:stream/promises'
import { escapeLines } from '../control-characters.ts'
import { MappingNeeded } from '../statements/csv/choose.ts'
import { toNeutralForm } from '../statements/neutral-form.ts'
import { readStatement, type StatementFile } from '../statements/read-statement.ts'
import { issueCodes } from '../statements/statement.ts'
import { toSummary } from '../statements/summary.ts'
import { type Command, type ExitCode, program } from './command.ts'
import { readOptions } from './options.ts'
import { statementHelp, statementOptions, tellUnread, toReadOptions } from './statement-options.ts'
import { tellError } from './tell-error.ts'
import { UsageError } from './usage-error.ts'

const help = `usage: ${program} statement FILE [options]

Reads a bank's file and prints what is in it. Stores nothing. Money into the account is positive.

${statementHelp}
  --json              print the accounts, balances and bookings instead of a summary (off)
  --help              print this

If no mapping fits, it prints a mapping to start from.

exit code: 0 all was read, 1 some of it could not be read, 2 the file is no statement or a mapping
is needed

examples:
  ${program} statement january.ofx
  ${program} statement january.camt.xml --json
  ${program} statement january.csv > mapping.yaml
  ${program} statement january.csv --mapping mapping.yaml`

const options = {
  ...statementOptions,
  json: { type: 'boolean' },
} as const

/** Reads a bank's file and prints what is in it. */
export const statement: Command = { help, run }

async function run(args: string[]): Promise<ExitCode> {
  const { values, positionals } = readOptions(args, options)
  const [name] = positionals
  if (name === undefined || positionals.length > 1) throw new UsageError('name one file')
  try {
    const chosen = await toReadOptions(values)
    const bytes = name === '-' ? process.stdin : createReadStream(name)
    return await print(await readStatement(bytes, chosen), values.json)
  } catch (error) {
    return tell(error, name, values.json)
  }
}

const howToGoOn =
  'save the mapping on standard output, correct the lines that it marks, and pass it with --mapping'

/** Tells why a file was not read, and proposes a mapping where that is what lacks. */
function tell(error: unknown, name: string, json = false): ExitCode {
  if (error instanceof MappingNeeded && !json) process.stdout.write(error.proposal)
  return tellUnread(
    error,
    name,
    json ? 'run it without --json for a mapping to start from' : howToGoOn,
  )
}

/** Passes the events on, and counts what the exit code and the summary need. */
function counting(file: StatementFile) {
  const read = { statements: 0, isWhole: true }
  const events = async function* () {
    for await (const batch of file.events) {
      for (const event of batch) {
        if (event.kind === 'statement') read.statements += 1
        if (event.kind === 'issue' && issueCodes[event.issue.code].lost) read.isWhole = false
      }
      yield batch
    }
  }
  return { read, file: { ...file, events: events() } }
}

async function* escaped(texts: AsyncIterable<string>): AsyncGenerator<string> {
  for await (const text of texts) yield escapeLines(text)
}

async function print(found: StatementFile, json = false): Promise<ExitCode> {
  const { read, file } = counting(found)
  await pipeline(escaped(json ? toNeutralForm(file) : toSummary(file)), process.stdout, {
    end: false,
  })
  if (read.statements > 0) return read.isWhole ? 0 : 1
  tellError('the file holds no statement that can be read')
  return 2
}
