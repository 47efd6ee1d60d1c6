import { hash } from 'node:crypto'
import type { SourceTransaction } from '../../statements/statement.ts'
import { namesOf } from './account-numbers.ts'
import type { SourceStatement, StagedRow } from './source-file.ts'

/** The days with one more; empty ones are of no row yet. */
export const daysWith = ({ from, to }: SourceStatement['days'], date: string) => ({
  from: from === '' || date < from ? date : from,
  to: date > to ? date : to,
})

/** Numbers equal rows, and tells which ids stand for several bookings, across the statements of a file. */
export function createCount() {
  const equal = new Map<number, number>()
  const ids = new Map<number, number>()
  return (account: SourceStatement['account'], row: SourceTransaction): StagedRow => {
    const { id, date, amount, description } = row
    const [name = ''] = namesOf(account)
    const text = digest([name, date, amount, description].join('\n'))
    if (id === undefined) {
      const occurrence = (equal.get(text) ?? 0) + 1
      equal.set(text, occurrence)
      return { ...row, occurrence, sharesId: false }
    }
    const key = digest(`${name}\n${id}`)
    const known = ids.get(key)
    if (known === undefined) ids.set(key, text)
    return { ...row, occurrence: 1, sharesId: known !== undefined && known !== text }
  }
}

/** 52 bits of a hash stand for a text: all texts together take as much memory as their file. */
const digest = (text: string): number => Number.parseInt(hash('sha256', text).slice(0, 13), 16)
