import type { Keys } from '../kernel/keys.ts'
import type { StagedRow } from './source-file.ts'

/** The edition of the rules below. Rows keep the keys that they got, so a new edition reads both. */
export const keyVersion = 1

/** 132 bits of the hash: two rows of an account never share them by chance. */
const keyLength = 22

/** The keys of a row within its account. All are the same where the source gives no id. */
export interface RowKeys {
  /** The one that a new row gets. */
  usual: string
  /** Tells bookings apart that share an id. */
  exact: string
  /** Of the id alone: the first of those bookings has it. */
  plain: string
}

/**
 * The keys of a row. They stay the same when an operator corrects signs. Hashes with a key of the data, since texts of a
 * bank can be guessed.
 */
export function keysOf({ hash }: Pick<Keys, 'hash'>, row: StagedRow): RowKeys {
  const short = (text: string) => hash(`source row\n${text}`).slice(0, keyLength)
  const { id, date, description, amount, toldAmount = amount } = row
  if (id === undefined) {
    const key = short(['row', date, toldAmount, description, row.occurrence].join('\n'))
    return { usual: key, exact: key, plain: key }
  }
  const exact = short(['shared', id, date, toldAmount, description].join('\n'))
  const plain = short(`id\n${id}`)
  return { usual: row.sharesId ? exact : plain, exact, plain }
}

/** A hash of what a row says, by which a change is noticed. */
export const contentOf = (
  { hash }: Pick<Keys, 'hash'>,
  { status, date, amount, description, details }: StagedRow,
): string =>
  hash(
    [
      ...['source content', status, date, amount, description],
      ...(details === undefined ? [] : [JSON.stringify(details)]),
    ].join('\n'),
  ).slice(0, keyLength)

/** The key of the row that has an id, whatever else is known of it. */
export const keyOfId = ({ hash }: Pick<Keys, 'hash'>, id: string): string =>
  hash(`source row\nid\n${id}`).slice(0, keyLength)

/** By which of its references a booking is known at other banks and in other files. */
const referenceNames = ['end_to_end_id', 'transaction_id', 'uetr']

const keyOfReference = ({ hash }: Pick<Keys, 'hash'>, name: string, value: string): string =>
  hash(`source reference\n${name}\n${value}`).slice(0, keyLength)

/** The keys of the references of a row. */
export const referenceKeys = (keys: Pick<Keys, 'hash'>, { references = {} }: StagedRow): string[] =>
  referenceNames.flatMap((name) => {
    const value = references[name]
    return value === undefined ? [] : [keyOfReference(keys, name, value)]
  })

/** The key of the reference that a transaction shows. */
export const shownReferenceKey = (keys: Pick<Keys, 'hash'>, value: string): string =>
  keyOfReference(keys, 'end_to_end_id', value)
