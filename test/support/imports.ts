import { readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'

export interface Import {
  specifier: string
  dynamic: boolean
}

const statement = /(?:^|;)\s*(?:import|export)\b[^'"`;()]*?['"]([^'"]+)['"]/gm
const call = /\bimport\(\s*['"]([^'"]+)['"]/g

/** What a module imports, be it by a statement or by a call. */
export function importsOf(file: string): Import[] {
  const source = readFileSync(file, 'utf8')
  const found = (pattern: RegExp, dynamic: boolean) =>
    [...source.matchAll(pattern)].map(([, specifier]) => ({ specifier: specifier!, dynamic }))
  return [...found(statement, false), ...found(call, true)]
}

/** A module and all that its static imports lead to. */
export function loadedBy(file: string, seen = new Set<string>()): string[] {
  if (seen.has(file)) return []
  seen.add(file)
  for (const { specifier, dynamic } of importsOf(file)) {
    if (!dynamic && specifier.startsWith('.')) loadedBy(join(dirname(file), specifier), seen)
  }
  return [...seen]
}
