import { styleText } from 'node:util'
import {
  conclusion,
  groupsOf,
  isRejected,
  otherPlaces,
  type Report,
  type ReportedFinding,
} from './report.ts'

type Style = (format: Parameters<typeof styleText>[0], text: string) => string

/** For a terminal; colors only if it has them. */
export function toTerminal(report: Report, hasColors: boolean): string {
  const style: Style = (format, text) =>
    hasColors ? styleText(format, text, { validateStream: false }) : text
  const lines = groupsOf(report).flatMap(([title, findings]) => [
    style('bold', title),
    ...findings.flatMap((one) => findingLines(one, style)),
    '',
  ])
  return [...lines, ...conclusion(report), ''].join('\n')
}

function findingLines(finding: ReportedFinding, style: Style): string[] {
  const { verdict, effect, source, sentence } = finding
  const [color, mark] = verdict === 'breaking' ? (['red', '✗'] as const) : (['green', '·'] as const)
  const details = [effect, otherPlaces(finding), `${source.file}:${source.line}`].filter(Boolean)
  return [
    `  ${style(color, mark)} ${sentence}`,
    ...details.map((line) => style('dim', `      ${line}`)),
  ]
}

/** For the summary of a job, or a comment. */
export function toMarkdown(report: Report): string {
  const [summary, ...rest] = conclusion(report)
  const title = isRejected(report) ? 'Breaking changes of the contract' : 'Changes of the contract'
  const groups = groupsOf(report).flatMap(([title, findings]) => [
    `#### ${title}`,
    '',
    ...findings.map(toItem),
    '',
  ])
  return [`### ${title}`, '', summary, '', ...groups, rest.join('\n'), ''].join('\n')
}

function toItem(finding: ReportedFinding): string {
  const { verdict, sentence, effect, source } = finding
  const word = verdict === 'breaking' ? '**Breaking:** ' : ''
  const details = [effect, otherPlaces(finding), `\`${source.file}:${source.line}\``]
  return `- ${word}${sentence}. ${details.filter(Boolean).join(' · ')}`
}

export const toJson = (report: Report): string => `${JSON.stringify(report, null, 2)}\n`

/** Annotations of GitHub Actions: each breaking change at its line. */
export function toAnnotations(report: Report): string {
  const level = isRejected(report) ? 'error' : 'warning'
  const lines = report.findings
    .filter(({ verdict }) => verdict === 'breaking')
    .map(({ sentence, effect, source }) => {
      const at = `file=${source.file},line=${source.line},title=Breaking change`
      return `::${level} ${at}::${escapeMessage(`${sentence}. ${effect ?? ''}`)}`
    })
  return lines.map((line) => `${line}\n`).join('')
}

const escapeMessage = (text: string): string =>
  text.replaceAll('%', '%25').replaceAll('\r', '%0D').replaceAll('\n', '%0A')
