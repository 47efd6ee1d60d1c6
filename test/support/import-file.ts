import { fileInstitutionId } from '../../src/institution-list/built-in.ts'
import type { RunningService } from '../../src/server/boot/create-service.ts'
import { type ImportOrder, importFile } from '../../src/server/operator/import-file.ts'
import type { ImportReport } from '../../src/server/operator/import-report.ts'
import { type ReadOptions, readStatement } from '../../src/statements/read-statement.ts'
import { type BankStatement, writers } from './statement-files.ts'

/** Imports the text of a bank's file, as the command does. */
export async function importText(
  { service }: Pick<RunningService, 'service'>,
  text: string | Uint8Array,
  order: Partial<ImportOrder> & Pick<ImportOrder, 'client_id'>,
  options?: ReadOptions,
): Promise<ImportReport> {
  const pieces = (async function* () {
    yield Buffer.from(text)
  })()
  const file = await readStatement(pieces, options)
  const whole: ImportOrder = {
    client_user_id: 'ada',
    institution_id: fileInstitutionId,
    origin: file.format,
    file: 'a test',
    partial: false,
    dryRun: false,
    ...order,
  }
  return importFile(service, whole, file.events, 'test')
}

/** A statement of January with one booking. */
export const january: BankStatement = {
  account: { iban: 'DE89370400440532013000', bank: '37040044', number: '532013000' },
  currency: 'EUR',
  opening: { amount: '100.00', date: '2026-01-01' },
  closing: { amount: '87.50', date: '2026-01-31' },
  bookings: [
    {
      id: 'A1',
      date: '2026-01-05',
      amount: '-12.50',
      description: 'Coffee',
      counterparty: 'Tide Coffee',
    },
  ],
}

/** A statement with so many bookings of a cent, each with an id. */
export function longStatement(count: number): BankStatement {
  const [first = { date: '', description: '' }] = january.bookings
  const bookings = Array.from({ length: count }, (_, index) => {
    return { ...first, id: `L${index}`, amount: '-0.01' }
  })
  const closing = { ...january.closing, amount: (100 - count / 100).toFixed(2) }
  return { ...january, closing, bookings }
}

/** A statement as a file of a format. */
export function writeStatement(format: string, statement: BankStatement): string {
  const writer = writers.find(({ name }) => name === format)
  if (!writer) throw new Error(`no file of the format ${format} can be written`)
  return writer.write(statement)
}
