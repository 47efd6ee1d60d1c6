import type { Taken } from '../bench/figures.ts'
import type { Level } from '../bench/levels.ts'
import { levelTable } from '../bench/tables.ts'
import { markdownTable } from './markdown-table.ts'

/** When, where and of what figures were taken, as a sentence. */
export const taken = ({ day, commit, machine }: Taken): string =>
  `Measured on ${day} at commit ${commit}, on ${machine}.`

/** What was measured beside what it has to reach. */
export function levelsOf(levels: readonly Level[]): string {
  const { head, rows } = levelTable(levels)
  return markdownTable(
    head,
    rows.map(([what = '', value, ...limits]) => [what, `**${value}**`, ...limits]),
  )
}
