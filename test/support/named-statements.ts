import type { RecordedStatement } from './recorded-statements.ts'
import { readStatements } from './statements.ts'

const onOneLine = (sql: string): string => sql.replaceAll(/\s+/g, ' ').trim()

/** What matches a statement of the sources, whatever is put into it. */
function patternOf(sql: string): RegExp {
  const parts = onOneLine(sql).split(/\$\{\}/)
  const escaped = parts.map((part) => part.trim().replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&'))
  return new RegExp(`^${escaped.join('.*')}$`)
}

/** What is written most precisely comes first: a statement of any table also matches those of one. */
const sources = readStatements()
  .map(({ name, sql }) => ({ name, pattern: patternOf(sql) }))
  .sort((one, other) => fixedLength(other.pattern) - fixedLength(one.pattern))

function fixedLength({ source }: RegExp): number {
  return source.replaceAll('.*', '').length
}

/** The name of the function in whose source a statement stands. */
export function nameOf({ sql }: RecordedStatement): string {
  const line = onOneLine(sql)
  return sources.find(({ pattern }) => pattern.test(line))?.name ?? line
}

/** The functions of which a statement was never run. */
export function namesNotRun(recorded: readonly RecordedStatement[]): string[] {
  const lines = recorded.map(({ sql }) => onOneLine(sql))
  const missing = sources.filter(({ pattern }) => !lines.some((line) => pattern.test(line)))
  return [...new Set(missing.map(({ name }) => name))].sort()
}
