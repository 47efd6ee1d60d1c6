import { byOperation, countOf, type Report, toLine } from '../conform/report.ts'
import type { Result } from '../conform/run.ts'
import { escapeControls } from '../control-characters.ts'
import { toTable } from './ask-operator.ts'

const columns = ['OPERATION', 'PASSED', 'FAILED', 'NOT JUDGED']
const mostFindings = 20

/** The report for people: a table, what breaks the contract, and what was not judged. */
export function toText(report: Report): string {
  const { results, passed, failed, notJudged, requests, took, base, version } = report
  const rows = byOperation(results).map(([operationId, own]) => [
    operationId,
    ...(['passed', 'failed', 'not judged'] as const).map((outcome) =>
      String(countOf(own, outcome) || ''),
    ),
  ])
  const share = passed + failed === 0 ? 0 : (100 * passed) / (passed + failed)
  const percent = Math.floor(share * 10) / 10
  return [
    toTable(columns, rows),
    '',
    ...failuresOf(results),
    ...reasonsOf(results),
    `${escapeControls(base)}, version ${version}: ${passed} of ${passed + failed} cases passed (${percent} %), ${notJudged} not judged`,
    `${requests} requests in ${Math.round(took / 100) / 10} seconds`,
  ].join('\n')
}

const failuresOf = (results: readonly Result[]): string[] =>
  results
    .filter(({ outcome }) => outcome === 'failed')
    .flatMap(({ operationId, group, name, findings }) => [
      escapeControls(`FAILED ${operationId}, ${group}: ${name}`),
      ...findings.slice(0, mostFindings).map((one) => escapeControls(`  ${toLine(one)}`)),
      ...(findings.length > mostFindings
        ? [`  and ${findings.length - mostFindings} more: see --report`]
        : []),
      '',
    ])

/** Each reason once, with the count of its cases. */
function reasonsOf(results: readonly Result[]): string[] {
  const counts = new Map<string, number>()
  for (const { reason } of results) {
    if (reason !== undefined) counts.set(reason, (counts.get(reason) ?? 0) + 1)
  }
  if (counts.size === 0) return []
  const lines = [...counts].map(([reason, count]) => escapeControls(`  ${count} × ${reason}`))
  return ['not judged:', ...lines, '']
}
