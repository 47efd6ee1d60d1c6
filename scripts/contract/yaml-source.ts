import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { type Document, isMap, isNode, isSeq, LineCounter, parseDocument } from 'yaml'
import { ContractError } from './contract-error.ts'

/** A file of the contract that was read, and where in it things stand. */
export interface YamlSource {
  file: string
  document: Document
  lines: LineCounter
}

/** Reads a file; the mistake of its YAML, if there is one, comes back as a line. */
export const readSource = (root: string, file: string): YamlSource & { mistakes: string[] } =>
  parseSource(file, readFileSync(join(root, file), 'utf8'))

export function parseSource(file: string, text: string): YamlSource & { mistakes: string[] } {
  const lines = new LineCounter()
  const document = parseDocument(text, { lineCounter: lines, prettyErrors: false })
  // The first mistake leads to others that say nothing of their own.
  const mistakes = [...document.errors, ...document.warnings]
    .slice(0, 1)
    .map(({ message, pos }) => {
      return `${file}:${lines.linePos(pos[0]).line}: this is not YAML: ${message}`
    })
  return { file, document, lines, mistakes }
}

/** The value of a file that has to be there and to be YAML. */
export function readYaml(root: string, file: string): unknown {
  if (!existsSync(join(root, file))) throw new ContractError([`${file}:1: the file is missing`])
  const { document, mistakes } = readSource(root, file)
  if (mistakes.length > 0) throw new ContractError(mistakes)
  return document.toJS()
}

/** The line of the key that a way leads to, as far as it goes. */
export function lineOf({ document, lines }: YamlSource, way: readonly (string | number)[]): number {
  let node: unknown = document.contents
  let offset = 0
  for (const key of way) {
    const pair = isMap(node) && node.items.find((item) => String(item.key) === String(key))
    const named = pair ? pair.key : isSeq(node) && node.items[Number(key)]
    if (!isNode(named)) break
    offset = named.range?.[0] ?? offset
    node = pair ? pair.value : named
  }
  return lines.linePos(offset).line
}
