import type { Document, Node } from 'yaml'
import { isAlias, isMap, isPair, isScalar, isSeq, LineCounter, parseDocument } from 'yaml'
import type { Place, Problem } from './problems.ts'

/** A node of a file with its position. */
export type SourceNode =
  | { kind: 'map'; place: Place; entries: ReadonlyMap<string, SourceNode> }
  | { kind: 'list'; place: Place; elements: readonly SourceNode[] }
  | { kind: 'scalar'; place: Place; value: unknown }

/** The deepest nesting that is read. It also ends aliases that contain themselves. */
const deepest = 40
const tooDeep = `must be nested at most ${deepest} levels deep`

/** Reads YAML, or JSON, which is YAML too. */
export function parseSource(file: string, text: string): { root: SourceNode; problems: Problem[] } {
  const lines = new LineCounter()
  const document = parseDocument(text, { lineCounter: lines, prettyErrors: false })
  const placeAt = (offset: number, path: string): Place => {
    const { line, col } = lines.linePos(offset)
    return { file, line: Math.max(line, 1), column: Math.max(col, 1), path }
  }
  const problems = document.errors.map(({ pos: [offset], code, message }) => {
    const reason = code === 'MULTIPLE_DOCS' ? 'a file holds one document' : lowerFirst(message)
    return { place: placeAt(offset, ''), path: '', message: reason }
  })
  const start = placeAt(0, '')
  if (problems.length > 0 || document.contents === null) {
    return { root: { kind: 'map', place: start, entries: new Map() }, problems }
  }
  const reader: Reader = { document, placeAt, problems }
  return { root: readNode(reader, document.contents, start, 0), problems }
}

const lowerFirst = (text: string): string => text.charAt(0).toLowerCase() + text.slice(1)

interface Reader {
  document: Document.Parsed
  placeAt(offset: number, path: string): Place
  problems: Problem[]
}

function readNode(reader: Reader, node: unknown, place: Place, depth: number): SourceNode {
  if (depth > deepest) {
    reader.problems.push({ place, path: place.path, message: tooDeep })
    return { kind: 'scalar', place, value: null }
  }
  if (isAlias(node)) {
    const meant = node.resolve(reader.document)
    if (meant) return readNode(reader, meant, place, depth + 1)
    reader.problems.push({ place, path: place.path, message: 'names an anchor that is not there' })
  }
  if (isSeq(node))
    return { kind: 'list', place, elements: readElements(reader, node, place, depth) }
  if (isMap(node)) return { kind: 'map', place, entries: readEntries(reader, node, place, depth) }
  return { kind: 'scalar', place, value: isScalar(node) ? node.value : null }
}

const readElements = (reader: Reader, node: { items: unknown[] }, place: Place, depth: number) =>
  node.items.map((element, index) => {
    const path = `${place.path}[${index}]`
    return readNode(reader, element, reader.placeAt(offsetOf(element), path), depth + 1)
  })

function readEntries(reader: Reader, node: { items: unknown[] }, place: Place, depth: number) {
  const entries = new Map<string, SourceNode>()
  for (const pair of node.items) {
    if (!isPair(pair)) continue
    const name = String(isScalar(pair.key) ? pair.key.value : pair.key)
    const path = place.path === '' ? name : `${place.path}.${name}`
    const at = reader.placeAt(offsetOf(pair.key), path)
    entries.set(name, readNode(reader, pair.value, at, depth + 1))
  }
  return entries
}

const offsetOf = (node: unknown): number => (node as Node | null)?.range?.[0] ?? 0

/** The plain value of a node. */
export function toValue(node: SourceNode): unknown {
  if (node.kind === 'list') return node.elements.map(toValue)
  if (node.kind === 'scalar') return node.value
  return Object.fromEntries([...node.entries].map(([name, entry]) => [name, toValue(entry)]))
}

/** Locates a path of the merged data in its file, or else the node that would hold it. */
export function locate(root: SourceNode, path: string): { place: Place; path: string } {
  let node = root
  const keys = path.match(/[^.[\]]+/g) ?? []
  for (const [index, key] of keys.entries()) {
    const next = node.kind === 'list' ? node.elements[Number(key)] : undefined
    const child = node.kind === 'map' ? node.entries.get(key) : next
    if (!child) return { place: node.place, path: join(node.place.path, keys.slice(index)) }
    node = child
  }
  return { place: node.place, path: node.place.path }
}

const join = (path: string, keys: readonly string[]): string =>
  [path, ...keys].filter((part) => part !== '').join('.')
