import { readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { type AnyNode, type Node, parse, type Program } from 'acorn'

const programs = new Map<string, Program>()

function programOf(file: string): Program {
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

/** The functions that stand at the top level of a module. */
export const functionsIn = (file: string): string[] =>
  programOf(file).body.flatMap((node) =>
    node.type === 'FunctionDeclaration' ? [node.id.name] : [],
  )

/** Every name that a module calls, `import` among them. */
export function callsIn(file: string): Set<string> {
  const names = new Set<string>()
  visit(programOf(file), (node) => {
    if (node.type === 'ImportExpression') names.add('import')
    const isCall = node.type === 'CallExpression' || node.type === 'NewExpression'
    if (isCall && node.callee.type === 'Identifier') names.add(node.callee.name)
  })
  return names
}

function visit(node: Node, meet: (node: AnyNode) => void): void {
  meet(node as AnyNode)
  for (const part of Object.values(node).flat()) {
    if (typeof part === 'object' && part !== null && 'type' in part) visit(part as Node, meet)
  }
}
