import { readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { type Program, parse } from 'acorn'
import { closure } from '../../src/contract/closure.ts'

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

/** A module and everything that its static imports lead to. */
export const loadedBy = (file: string): string[] => [
  ...closure([file], (one) =>
    importsOf(one)
      .filter((specifier) => specifier.startsWith('.'))
      .map((specifier) => join(dirname(one), specifier)),
  ),
]
