import { createHash } from 'node:crypto'
import type { CsvMapping } from '../../../generated/statements/types.ts'

/** What the rows of a file are from. Those that two mappings read have different texts, and so different keys. */
export function originOf(format: string, mapping: CsvMapping | undefined): string {
  if (mapping === undefined) return format
  const hash = createHash('sha256').update(JSON.stringify(mapping)).digest('hex')
  return `${format}-${hash.slice(0, 8)}`
}
