import type { Alias, Document, Node } from 'yaml'
import { isAlias, isMap, isPair, isScalar, isSeq, LineCounter, parseDocument, visit } from 'yaml'
import { findFlaw } from '../scan-json.ts'
import type { Place, Problem } from './problems.ts'

/** A node of a file with its position. */
export type SourceNode =
  | { kind: 'map'; place: Place; entries: ReadonlyMap<string, SourceNode> }
  | { kind: 'list'; place: Place; elements: readonly SourceNode[] }
  | { kind: 'scalar'; place: Place; value: unknown }

/** The deepest nesting that is read. It also ends aliases that contain themselves. */
const deepest = 40
/** How many nodes aliases may stand for. Aliases of aliases soon stand for more than memory holds. */
const mostAliased = 100_000
const tooManyAliased = `has aliases for more than ${mostAliased} nodes`
const tooDeep = `must be nested at most ${deepest} levels deep`

/**
 * The value of a text that is a JSON object: read in a fraction of the time and memory, without
 * positions. Undefined for any other text, and for JSON with a mistake: `parseSource` reads it, or tells
 * where.
 */
export function parseJsonObject(text: string): object | undefined {
  if (!text.startsWith('{')) return undefined
  try {
    const value: object = JSON.parse(text)
    return findFlaw(text) === undefined && depthOf(value) <= deepest ? value : undefined
  } catch {
    return undefined
  }
}

const depthOf = (value: unknown): number =>
  typeof value === 'object' && value !== null
    ? 1 + Object.values(value).reduce((most: number, part) => Math.max(most, depthOf(part)), 0)
    : 0

/** A value as a node. All its parts have the position of the first one. */
export function toNode(file: string, value: unknown): SourceNode {
  const place: Place = { file, line: 1, column: 1, path: '' }
  const read = (part: unknown): SourceNode => {
    if (typeof part !== 'object' || part === null) return { kind: 'scalar', place, value: part }
    if (Array.isArray(part)) return { kind: 'list', place, elements: part.map(read) }
    const entries = new Map(Object.entries(part).map(([name, entry]) => [name, read(entry)]))
    return { kind: 'map', place, entries }
  }
  return read(value)
}

/** Reads YAML, or JSON, which is YAML too. */
export function parseSource(file: string, text: string): { root: SourceNode; problems: Problem[] } {
  const lines = new LineCounter()
  const document = parseDocument(text, { lineCounter: lines, prettyErrors: false })
  const placeAt = (offset: number, path: string): Place => {
    const { line, col } = lines.linePos(offset)
    return { file, line: Math.max(line, 1), column: Math.max(col, 1), path }
  }
  const problems = document.errors.map(({ pos: [offset], code, message }) => {
    return { place: placeAt(offset, ''), path: '', message: reasonOf(code, message) }
  })
  const start = placeAt(0, '')
  if (problems.length > 0 || document.contents === null) {
    return { root: { kind: 'map', place: start, entries: new Map() }, problems }
  }
  const reader: Reader = { targets: targetsOf(document), placeAt, problems, aliased: 0 }
  return {
    root: readNode(reader, document.contents, { place: start, depth: 0, isAliased: false }),
    problems,
  }
}

function reasonOf(code: string, message: string): string {
  if (code === 'MULTIPLE_DOCS') return 'a file holds one document'
  // The parser calls itself for each level, and tells in its own words that it could not.
  return code === 'RESOURCE_EXHAUSTION' ? tooDeep : lowerFirst(message)
}

/** What each alias stands for: the last node before it that has its name. */
function targetsOf(document: Document.Parsed): Map<Alias, Node> {
  const anchors = new Map<string, Node>()
  const targets = new Map<Alias, Node>()
  visit(document, {
    Alias(_, alias) {
      const target = anchors.get(alias.source)
      if (target) targets.set(alias, target)
    },
    Value(_, node) {
      if (node.anchor !== undefined) anchors.set(node.anchor, node)
    },
  })
  return targets
}

const lowerFirst = (text: string): string => text.charAt(0).toLowerCase() + text.slice(1)

interface Reader {
  targets: ReadonlyMap<Alias, Node>
  placeAt(offset: number, path: string): Place
  problems: Problem[]
  /** How many nodes aliases have stood for so far. */
  aliased: number
}

/** Where a node stands, how deep, and whether an alias led to it. */
interface At {
  place: Place
  depth: number
  isAliased: boolean
}

function readNode(reader: Reader, node: unknown, at: At): SourceNode {
  const { place, depth, isAliased } = at
  if (isAliased) reader.aliased += 1
  if (reader.aliased > mostAliased) {
    if (reader.aliased === mostAliased + 1) {
      reader.problems.push({ place, path: place.path, message: tooManyAliased })
    }
    return { kind: 'scalar', place, value: null }
  }
  if (depth > deepest) {
    reader.problems.push({ place, path: place.path, message: tooDeep })
    return { kind: 'scalar', place, value: null }
  }
  if (isAlias(node)) {
    const meant = reader.targets.get(node)
    if (meant) return readNode(reader, meant, { place, depth: depth + 1, isAliased: true })
    reader.problems.push({ place, path: place.path, message: 'names an anchor that is not there' })
  }
  if (isSeq(node)) return { kind: 'list', place, elements: readElements(reader, node, at) }
  if (isMap(node)) return { kind: 'map', place, entries: readEntries(reader, node, at) }
  return { kind: 'scalar', place, value: isScalar(node) ? node.value : null }
}

const readElements = (reader: Reader, node: { items: unknown[] }, { place, ...at }: At) =>
  node.items.map((element, index) => {
    const next = reader.placeAt(offsetOf(element), `${place.path}[${index}]`)
    return readNode(reader, element, { ...at, place: next, depth: at.depth + 1 })
  })

function readEntries(reader: Reader, node: { items: unknown[] }, { place, ...at }: At) {
  const entries = new Map<string, SourceNode>()
  for (const pair of node.items) {
    if (!isPair(pair)) continue
    const name = String(isScalar(pair.key) ? pair.key.value : pair.key)
    const path = place.path === '' ? name : `${place.path}.${name}`
    const next = reader.placeAt(offsetOf(pair.key), path)
    entries.set(name, readNode(reader, pair.value, { ...at, place: next, depth: at.depth + 1 }))
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
function locate(root: SourceNode, path: string): { place: Place; path: string } {
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

/** What is wrong at a path of the merged data, with its place in the files. */
export const problemAt = (root: SourceNode, path: string, message: string): Problem => ({
  ...locate(root, path),
  message,
})

const join = (path: string, keys: readonly string[]): string =>
  [path, ...keys].filter((part) => part !== '').join('.')
