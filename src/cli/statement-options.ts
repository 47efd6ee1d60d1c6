import { MappingNeeded } from '../statements/csv/choose.ts'
import { MappingError, readMapping } from '../statements/csv/read-mapping.ts'
import type { ReadOptions } from '../statements/read-statement.ts'
import { NoStatement, statementFormats } from '../statements/statement.ts'
import { readText, toReadError } from './input.ts'
import { requirePlain } from './options.ts'
import { tellError } from './tell-error.ts'
import { UsageError } from './usage-error.ts'

/** How a bank's file is to be read. */
export const statementOptions = {
  format: { type: 'string' },
  encoding: { type: 'string' },
  mapping: { type: 'string' },
  currency: { type: 'string' },
  'account-id': { type: 'string' },
} as const

export const statementHelp = `  --format FORMAT     read as ${statementFormats.join(', ')} (found by the file's first bytes)
  --encoding NAME     read in this encoding, such as windows-1252 (found by the file's first bytes)
  --mapping FILE      read CSV by this mapping in YAML (the built-in mapping that fits the header row)
  --currency CODE     set the currency of a CSV file that names none, without a mapping (XXX)
  --account-id ID     set the account of a CSV file that names none, without a mapping (unknown)`

type Values = Readonly<Partial<Record<keyof typeof statementOptions, string | undefined>>>

/** What the options say about reading a file. */
export async function toReadOptions(values: Values): Promise<ReadOptions> {
  const { format, encoding, mapping, currency, 'account-id': accountId } = values
  const known = statementFormats.find((each) => each === format)
  if (format !== undefined && !known) {
    throw new UsageError(`--format must be one of ${statementFormats.join(', ')}`)
  }
  requirePlain('--account-id', accountId)
  if (mapping !== undefined && (currency ?? accountId) !== undefined) {
    throw new UsageError(
      'with --mapping, set the currency and the account id in the mapping, not with --currency and --account-id',
    )
  }
  if (mapping !== undefined && known !== undefined && known !== 'csv') {
    throw new UsageError(`--mapping is for CSV, and --format says ${known}`)
  }
  return {
    ...(known ? { format: known } : {}),
    ...(encoding === undefined ? {} : { encoding }),
    ...(mapping === undefined ? {} : { mapping: readMapping(mapping, await readText(mapping)) }),
    given: { currency, accountId },
  }
}

/** Tells why a file was not read; any other error is thrown. */
export function tellUnread(error: unknown, name: string, next: string): 2 {
  if (error instanceof MappingError) tellError(error.message)
  else if (error instanceof MappingNeeded) {
    tellError(`${name}: a mapping is needed, since ${error.message}: ${next}`)
  } else if (error instanceof NoStatement) tellError(`${name}: ${error.message}`)
  else throw error instanceof UsageError ? error : toReadError(name, error)
  return 2
}
