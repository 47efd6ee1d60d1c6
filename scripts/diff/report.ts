import { describeUndated, isUndated } from '../contract/undated.ts'
import { join } from '../contract/words.ts'
import type { Allowance } from './allowance.ts'
import type { Base } from './base.ts'
import { type Finding, placeWords, sentence } from './finding.ts'
import { type Source, sourceOf } from './source.ts'
import { count } from './words.ts'

/** A change of the contract, with its verdict. */
export interface Report {
  base: Base
  version: Allowance
  /** Everything that is described now. */
  documents: string[]
  findings: ReportedFinding[]
  /** How many of them break clients. */
  breaking: number
  /** The documents that changed in nothing that programs rely on, such as in texts and examples. */
  harmless: string[]
}

/** A finding with its sentence and its line. */
export interface ReportedFinding extends Finding {
  sentence: string
  source: Source
}

export function toReport(
  findings: Finding[],
  rest: Pick<Report, 'base' | 'version' | 'documents' | 'harmless'>,
): Report {
  const reported = findings.map((one) => ({
    ...one,
    sentence: sentence(one),
    source: sourceOf(one),
  }))
  const breaking = reported.filter(({ verdict }) => verdict === 'breaking').length
  // What breaks is read first.
  reported.sort((a, b) => Number(b.verdict === 'breaking') - Number(a.verdict === 'breaking'))
  return { ...rest, findings: reported, breaking }
}

export const isRejected = ({ breaking, version }: Report): boolean =>
  breaking > 0 && !version.isAllowed

/** The findings below the documents that have them, those of one operation beside each other. */
export function groupsOf(report: Report): [title: string, findings: ReportedFinding[]][] {
  const byDocuments = Map.groupBy(report.findings, ({ documents }) => namesOf(report, documents))
  return [...byDocuments].map(([name, findings]) => {
    const byOperation = Map.groupBy(findings, ({ places }) => places[0]!.name)
    return [name[0]!.toUpperCase() + name.slice(1), [...byOperation.values()].flat()]
  })
}

/** `every version`, `version 2018-05-22 and the sandbox API` */
function namesOf({ documents: all }: Report, documents: string[]): string {
  const dated = all.filter((name) => !isUndated(name))
  const own = documents.filter((name) => !isUndated(name))
  const isEvery = dated.length > 1 && dated.every((name) => own.includes(name))
  const versions = isEvery
    ? ['every version']
    : own.length > 0
      ? [`version${own.length > 1 ? 's' : ''} ${join([...own].sort(), 'and')}`]
      : []
  const others = documents.filter(isUndated).map((name) => describeUndated(name).title)
  return join([...versions, ...others], 'and')
}

/** Where else a change is met: some places, and how many more. */
export function otherPlaces({ places }: ReportedFinding): string {
  const [, ...others] = places
  if (others.length === 0) return ''
  const shown = others.slice(0, 3).map((place) => placeWords(place))
  const more = others.length - shown.length
  return `also ${join(more > 0 ? [...shown, count(more, 'more place')] : shown, 'and')}`
}

/** How it ends, and what to do. */
export function conclusion(report: Report): string[] {
  const { breaking, findings, harmless, version, base } = report
  const others = findings.length - breaking
  const against = `compared with ${base.name} (${base.commit.slice(0, 8)})`
  const summary =
    findings.length === 0
      ? `Nothing changed for programs, ${against}.`
      : `${count(breaking, 'breaking change')}, ${count(others, 'other')}, ${against}.`
  const names = join(harmless, 'and')
  const only = harmless.length > 0 ? [`Changed without effect on programs: ${names}.`] : []
  return [summary, ...only, ...(breaking > 0 ? verdictLines(version) : [])]
}

function verdictLines({ before, after, isAllowed, needed }: Allowance): string[] {
  if (isAllowed) return [`The version number announces this: it goes from ${before} to ${after}.`]
  return [
    `The version number does not announce this: it is ${after}, after ${before}.`,
    'What to do: keep what clients rely on; or make the change part of a new dated version and undo it',
    'in the overlays of the others (CONTRIBUTING.md, "Changing an older version"); or, to break every',
    `version, raise the contract's info.version to ${needed}.`,
  ]
}
