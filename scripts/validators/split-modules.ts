import { type Node, parse } from 'acorn'
import type { Plugin } from 'esbuild'
import { stopEarly } from '../../src/contract/bounded-work.ts'
import { root } from '../contract/contract.ts'
import { nameByContent } from './stable-names.ts'

/**
 * Serves Ajv's one long module to esbuild as one small module per top-level name, so that each
 * entry takes only what it reaches and shares the rest.
 */
export function splitModules(compiled: string, entries: Record<string, string>): Plugin {
  const pieces = split(collectErrors(stopEarly(compiled)))
  return {
    name: 'split-modules',
    setup({ onResolve, onLoad }) {
      onResolve({ filter: /^entry:/ }, ({ path }) => ({ path, namespace: 'entry' }))
      onResolve({ filter: /^(compiled|piece):/ }, ({ path }) => ({
        path,
        namespace: 'piece',
        sideEffects: false,
      }))
      onLoad({ filter: /.*/, namespace: 'entry' }, ({ path }) => ({
        contents: entries[path.slice('entry:'.length)]!,
        resolveDir: root,
      }))
      onLoad({ filter: /.*/, namespace: 'piece' }, ({ path }) => ({
        contents: pieces[path]!,
        resolveDir: root,
      }))
    },
  }
}

/**
 * Ajv copies all errors so far for each element with errors, so a long list of wrong elements would
 * take minutes. Here they go into one list instead.
 */
function collectErrors(compiled: string): string {
  const copying = /vErrors === null \? ([\w.]+)\.errors : vErrors\.concat\(\1\.errors\)/g
  const helper = `function addErrors(all, more) {
    if (all === null) return more
    for (const error of more) all.push(error)
    return all
  }`
  const collecting = compiled.replace(copying, 'addErrors(vErrors, $1.errors)')
  if (collecting.includes('.concat(')) throw new Error('Ajv joins errors in a way not known here')
  return `${collecting}\n${helper}`
}

/** The source of each module: `compiled:<export>`, and `piece:<name>` for every top-level name. */
function split(compiled: string): Record<string, string> {
  const { body } = parse(compiled, { ecmaVersion: 2022, sourceType: 'module' })
  const text = (node: Node) => compiled.slice(node.start, node.end)
  const sources = new Map<string, string>()
  const exports = new Map<string, string>()
  for (const node of body) {
    if (
      node.type === 'ExportNamedDeclaration' &&
      node.declaration?.type === 'VariableDeclaration'
    ) {
      const { id, init } = node.declaration.declarations[0]!
      exports.set(text(id), text(init!))
    } else if (node.type === 'FunctionDeclaration') {
      sources.set(node.id.name, text(node))
    } else if (node.type === 'VariableDeclaration') {
      sources.set(text(node.declarations[0]!.id), text(node))
    } else if (text(node).match(/^(\w+)\.evaluated/)) {
      const name = text(node).split('.')[0]!
      sources.set(name, `${sources.get(name)}\n${text(node)}`)
    } else if (!text(node).includes('use strict') && !text(node).startsWith('export default')) {
      throw new Error(`Ajv wrote a statement that is not known here: ${text(node).slice(0, 80)}`)
    }
  }
  return toModules(sources, exports)
}

function toModules(counted: Map<string, string>, exports: Map<string, string>) {
  const rename = nameByContent(counted)
  const sources = new Map([...counted].map(([name, text]) => [rename(name), rename(text)]))
  const modules: Record<string, string> = {}
  for (const [name, source] of sources) modules[`piece:${name}`] = toModule(name, source, sources)
  for (const [name, counted] of exports) {
    const piece = rename(counted)
    modules[`compiled:${name}`] = `export { ${piece} as default } from 'piece:${piece}'`
  }
  return modules
}

function toModule(name: string, source: string, all: Map<string, string>): string {
  const required = source.match(/^const \w+ = require\("([^"]+)"\)(?:\.(\w+)|\["([^"]+)"\])/)
  if (required) return reexport(name, required[1]!, required[2] ?? required[3]!)
  const words = new Set(source.match(/\b[A-Za-z_$][\w$]*\b/g))
  const imports = [...words]
    .filter((word) => word !== name && all.has(word))
    .map((word) => `import { ${word} } from 'piece:${word}'`)
  return [...imports, source, `export { ${name} }`].join('\n')
}

/** What Ajv fetches with `require`, as an import: our own formats, or a helper of its runtime. */
function reexport(name: string, module: string, member: string): string {
  if (module === 'formats') {
    const format = member.replace('date-time', 'dateTime')
    return `export { ${format} as ${name} } from './src/validators/formats.ts'`
  }
  return `import helper from '${module}.js'\nexport const ${name} = helper.${member} ?? helper`
}
