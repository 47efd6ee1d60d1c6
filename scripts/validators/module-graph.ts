import { readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { type Program, parse } from 'acorn'

const programs = new Map<string, Program>()

/** A module's syntax tree; each file is read once. */
export function programOf(file: string): Program {
  const known = programs.get(file)
  if (known) return known
  const source = readFileSync(file, 'utf8')
  const program = parse(source, { ecmaVersion: 2022, sourceType: 'module' })
  programs.set(file, program)
  return program
}

/** What a module imports by statements. */
export function importsOf(file: string): string[] {
  return programOf(file).body.flatMap((node) => {
    const specifier = 'source' in node ? node.source?.value : undefined
    return typeof specifier === 'string' ? [specifier] : []
  })
}

/** A module and all that its static imports lead to. */
export function loadedBy(file: string, seen = new Set<string>()): string[] {
  if (seen.has(file)) return []
  seen.add(file)
  for (const specifier of importsOf(file)) {
    if (specifier.startsWith('.')) loadedBy(join(dirname(file), specifier), seen)
  }
  return [...seen]
}
