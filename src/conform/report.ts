import type { Result } from './run.ts'

/** What a run found. */
export interface Report {
  base: string
  version: string
  /** Whether the service has the sandbox API. */
  sandbox: boolean
  requests: number
  /** Milliseconds. */
  took: number
  passed: number
  failed: number
  notJudged: number
  results: Result[]
}

export const countOf = (results: readonly Result[], outcome: Result['outcome']): number =>
  results.filter((result) => result.outcome === outcome).length

/** The results of each operation, in the order of the contract. */
export function byOperation(results: readonly Result[]): [string, Result[]][] {
  const found = new Map<string, Result[]>()
  for (const result of results) {
    const own = found.get(result.operationId)
    if (own) own.push(result)
    else found.set(result.operationId, [result])
  }
  return [...found]
}

/** The report as JUnit XML, which CI systems read. */
export function toJunit({ results, took }: Report): string {
  const suites = byOperation(results).map(([operationId, own]) => {
    const cases = own.map(toTestCase)
    const failures = countOf(own, 'failed')
    const skipped = countOf(own, 'not judged')
    const attributes = `name="${toXml(operationId)}" tests="${own.length}" failures="${failures}" skipped="${skipped}" time="${secondsOf(own)}"`
    return `  <testsuite ${attributes}>\n${cases.join('\n')}\n  </testsuite>`
  })
  const attributes = `name="conform" tests="${results.length}" failures="${countOf(results, 'failed')}" time="${took / 1000}"`
  return `<?xml version="1.0" encoding="UTF-8"?>\n<testsuites ${attributes}>\n${suites.join('\n')}\n</testsuites>\n`
}

const secondsOf = (results: readonly Result[]): number =>
  results.reduce((sum, { took }) => sum + took, 0) / 1000

function toTestCase({ operationId, group, name, outcome, findings, reason, took }: Result): string {
  const attributes = `classname="${toXml(`${operationId}.${group}`)}" name="${toXml(name)}" time="${took / 1000}"`
  if (outcome === 'passed') return `    <testcase ${attributes}/>`
  const lines = findings.map(toLine)
  const inside =
    outcome === 'failed'
      ? `<failure message="${toXml(lines[0] ?? '')}">${toXml(lines.join('\n'))}</failure>`
      : `<skipped message="${toXml(reason ?? '')}"/>`
  return `    <testcase ${attributes}>${inside}</testcase>`
}

export const toLine = ({ field, message }: Result['findings'][number]): string =>
  `${field || 'the answer'}: ${message}`

const entities: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  '\n': '&#10;',
}

/** XML has no control characters but these three. */
const toXml = (text: string): string =>
  text
    // biome-ignore lint/suspicious/noControlCharactersInRegex: these are what XML does not have
    .replaceAll(/[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]/g, '?')
    .replaceAll(/[&<>"\n]/g, (character) => entities[character] ?? '')
