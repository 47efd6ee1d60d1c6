import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { isSeq, LineCounter, parseDocument } from 'yaml'
import { ContractError } from '../contract/contract-error.ts'
import { base } from '../contract/place.ts'

/** One step of an overlay. */
export interface Action {
  target: string
  description?: string
  update?: unknown
  remove?: boolean
}

/** What an older version has differently, with the line of each action. */
export interface Overlay {
  file: string
  actions: Action[]
  lines: number[]
}

export function readOverlay(file: string): Overlay {
  const lineCounter = new LineCounter()
  const document = parseDocument(readFileSync(join(base, file), 'utf8'), { lineCounter })
  const { actions } = (document.toJS() ?? {}) as { actions?: Action[] }
  if (!Array.isArray(actions))
    throw new ContractError([`${file}:1: an overlay needs \`actions\`, a list`])
  const nodes = document.get('actions')
  const lines = actions.map((_, index) => {
    const node = isSeq(nodes) ? (nodes.items[index] as { range?: [number] }) : undefined
    return lineCounter.linePos(node?.range?.[0] ?? 0).line
  })
  return { file, actions, lines }
}

const probe = 'x-matched'

/**
 * Puts a mark before each action whose target matches something at that moment, by redocly's own
 * JSONPath: the filter `[?<target>]` holds if the target, which is absolute, matches.
 */
export function withMarks(actions: Action[]): Action[] {
  return [
    { target: '$', update: { [probe]: { marks: {} } } },
    ...actions.flatMap((action, index) => [
      { target: `$['${probe}'][?${action.target}]`, update: { [index]: true } },
      action,
    ]),
  ]
}

/** The actions that had something to do; their marks are gone from the document afterwards. */
export function takeMarks(document: Record<string, unknown>): Set<number> {
  const { marks } = document[probe] as { marks: object }
  delete document[probe]
  return new Set(Object.keys(marks).map(Number))
}

/**
 * The actions that redocly could not carry out, from what it says of them. Each action stands behind its
 * own mark there, and all behind the object of the marks.
 */
export function impossibleActions({ file, lines }: Overlay, said: string): string[] {
  const found = said.matchAll(/at #\/actions\/(\d+)\/\w+\s+(.+)/g)
  return [...found].flatMap(([, place, reason = '']) => {
    const line = lines[Number(place) / 2 - 1]
    if (!line) return []
    const words = reason.replace('Invalid JSONPath expression:', 'the target must be a JSONPath.')
    return [`${file}:${line}: ${words.replace(/^Cannot/, 'the update cannot')}`]
  })
}

/** A line for each action that had nothing to do. */
export const findIdle = ({ file, actions, lines }: Overlay, marks: Set<number>): string[] =>
  actions.flatMap(({ target }, index) =>
    marks.has(index) ? [] : [`${file}:${lines[index]}: the target matches nothing: ${target}`],
  )
