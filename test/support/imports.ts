import type { AnyNode, Node } from 'acorn'
import { programOf } from '../../scripts/validators/module-graph.ts'

/** The functions that stand at the top level of a module. */
export const functionsIn = (file: string): string[] =>
  programOf(file).body.flatMap((node) =>
    node.type === 'FunctionDeclaration' ? [node.id.name] : [],
  )

const known = new Map<string, Set<string>>()

/** Every name that a module calls, `import` among them. */
export function callsIn(file: string): Set<string> {
  const names = known.get(file) ?? findCalls(file)
  known.set(file, names)
  return names
}

function findCalls(file: string): Set<string> {
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
