import type { Taken } from '../bench/figures.ts'
import { judge, type Level, showValue } from '../bench/levels.ts'
import { markdownTable } from './markdown-table.ts'

/** When, where and of what figures were taken, as a sentence. */
export const taken = ({ day, commit, machine }: Taken): string =>
  `Measured on ${day} at commit ${commit}, on ${machine}.`

/** What was measured beside what it has to reach. */
export const levelsOf = (levels: readonly Level[]): string =>
  markdownTable(
    ['level', 'measured', 'at first', 'aim', 'result'],
    levels.map((level) => {
      const sign = level.atMost ? '≤\u00a0' : '≥\u00a0'
      const aim = level.second === undefined ? '' : `${sign}${level.second}`
      return [level.what, `**${showValue(level)}**`, `${sign}${level.first}`, aim, judge(level)]
    }),
  )
