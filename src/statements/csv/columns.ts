import type { CsvMapping } from '../../../generated/statements/types.ts'
import { NoStatement } from '../statement.ts'
import { columnsOf } from './read-mapping.ts'

type Column = string | number

/** A row by the columns of a mapping. */
export interface Columns {
  /** The text of a column, without spaces around it. */
  text(values: readonly string[], column: Column): string
  /** How a message calls a column. */
  name(column: Column): string
  /** How many values a row has. */
  count: number
}

/** Finds the columns of a mapping by the first row, which may be a header. @throws NoStatement for one that is not there */
export function findColumns(mapping: CsvMapping, first: readonly string[], line: number): Columns {
  const header = mapping.header === false ? undefined : first
  const names = header?.map(plain)
  const places = new Map<Column, number>()
  for (const [path, column] of columnsOf(mapping)) {
    places.set(column, placeOf(path, column, names, line))
  }
  return {
    text: (values, column) => values[places.get(column) ?? -1]?.trim() ?? '',
    name: (column) =>
      typeof column === 'string' ? column : header?.[column - 1]?.trim() || `column ${column}`,
    // Some banks end the header with a separator, or the rows.
    count: first.length - (header?.at(-1)?.trim() === '' ? 1 : 0),
  }
}

function placeOf(
  path: string,
  column: Column,
  names: readonly string[] | undefined,
  line: number,
): number {
  if (typeof column === 'number') {
    if (!names || column <= names.length) return column - 1
    const told = `has ${names.length} columns, and the mapping names column ${column} (${path})`
    throw new NoStatement(`line ${line}: the header row ${told}`)
  }
  const place = names?.indexOf(plain(column)) ?? -1
  if (place < 0) {
    const told = `has no column ${column}, which the mapping names (${path})`
    throw new NoStatement(`line ${line}: the header row ${told}`)
  }
  if (names?.lastIndexOf(plain(column)) === place) return place
  const told = `the header row has two columns ${column}; name one by its number (${path})`
  throw new NoStatement(`line ${line}: ${told}`)
}

const plain = (name: string): string => name.normalize('NFC').trim().toLowerCase()
