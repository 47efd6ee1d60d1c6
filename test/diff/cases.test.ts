import { globSync, readFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { afterAll, describe, expect, test } from 'vitest'
import { parse } from 'yaml'
import { currentVersion, readBundle, root, written } from '../../scripts/contract/contract.ts'
import { type Contracts, type Finding, sentence } from '../../scripts/diff/finding.ts'
import { reviewOne } from '../../scripts/diff/review.ts'
import { effectsOf, type KindName, kinds } from '../../scripts/diff/verdicts.ts'
import { compareVersions } from '../../scripts/diff/versions.ts'
import { type Edit, edited } from './edit.ts'
import { tablesBelow } from './guide.ts'
import { accepts, type Witness, witnessValue } from './witness.ts'

// Small edits of the contract, each with the verdict that was expected from a client's view before
// the tool gave its own: there, and back again.

interface Expected {
  verdict: 'breaking' | 'compatible' | 'nothing'
  says: string[]
}

interface Case {
  why: string
  document?: string
  edit: Edit[]
  there: Expected
  back: Expected
  witness?: Witness
}

const cases = new Map(
  globSync('test/diff/cases/*.yaml', { cwd: root })
    .sort()
    .map((file) => [
      basename(file, '.yaml'),
      parse(readFileSync(join(root, file), 'utf8')) as Case,
    ]),
)

const bundles = new Map(written.map((name) => [name, readBundle(name)]))

const contracts = new Map(
  [...cases].flatMap(([name, { document, edit }]): [string, Contracts][] => {
    const before = bundles.get(document ?? currentVersion)!
    const after = edited(before, edit)
    return [
      [`${name} there`, { before, after }],
      [`${name} back`, { before: after, after: before }],
    ]
  }),
)

const findings = new Map([...contracts].map(([name, both]) => [name, reviewOne(name, both)]))

function outcome(found: Finding[]): Expected {
  const isBreaking = found.some(({ verdict }) => verdict === 'breaking')
  return {
    verdict: isBreaking ? 'breaking' : found.length > 0 ? 'compatible' : 'nothing',
    says: found.map((one) => `${sentence(one)}${one.verdict === 'breaking' ? ' (breaking)' : ''}`),
  }
}

describe.each([...cases])('%s', (name, { there, back }) => {
  test('there', () => {
    expect(outcome(findings.get(`${name} there`)!)).toEqual(there)
  })

  test('back', () => {
    expect(outcome(findings.get(`${name} back`)!)).toEqual(back)
  })
})

const shown = [...cases].filter(([, { witness }]) => witness)

test.each(shown)(
  'the validators agree, on a body that shows %s',
  (name, { there, back, witness }) => {
    const { before: old, after: now } = contracts.get(`${name} there`)!
    const { breaks, form } = witness!
    const value = witnessValue(old, witness!)
    const [before, after] = [old, now].map((one) => accepts(one, witness!, value))
    // A request breaks where it is rejected afterwards, an answer where a client of before rejects it.
    const [theirs, ours] = form === 'request' ? [before, after] : [after, before]
    expect({ theirs, ours }).toEqual({ theirs: breaks !== 'back', ours: breaks !== 'there' })
    const broken = { there: [there], back: [back], nobody: [] }[breaks]
    const verdicts = broken.map(({ verdict }) => verdict)
    expect(verdicts).toEqual(broken.map(() => 'breaking'))
  },
)

const names = Object.keys(kinds) as KindName[]

/** What the tables say of each kind: `no`, `breaks`, or nothing. */
function guideVerdicts(): Record<string, string> {
  const rows = tablesBelow('What is a breaking change')
  const withoutNotes = (cell: string) => cell.replaceAll(/ \([^)]*\)/g, '').split(', ')
  return Object.fromEntries(
    rows.flatMap(([first = '', second = '', third = '', fourth]) => {
      if (fourth) return [[first, `${third} ${fourth}`]]
      const [breaks, others] = [withoutNotes(second), withoutNotes(third)]
      return [...breaks.map((kind) => [kind, 'breaks']), ...others.map((kind) => [kind, 'no'])]
    }),
  )
}

describe('the guide', () => {
  const words = (effect: string | null | undefined) =>
    effect === undefined ? '–' : effect === null ? 'no' : 'breaks'

  test.each(names)('says of "%s" what the tool says', (name) => {
    const effects = effectsOf(name)
    const { request, answer, always } = effects
    const expected = 'request' in effects ? `${words(request)} ${words(answer)}` : words(always)
    expect(guideVerdicts()[name]).toBe(expected)
  })

  test('names no kind that does not exist', () => {
    const titles = ['change', 'breaks', 'does not', '']
    const told = Object.keys(guideVerdicts()).filter((name) => !titles.includes(name))
    expect(told.filter((name) => !(name in kinds))).toEqual([])
  })
})

test('every kind has a case in each direction that it has a verdict for', () => {
  const contract = readBundle()
  const before = new Map([['2019-05-29', contract]])
  const after = new Map([['2020-09-14', contract]])
  const found = [...findings.values(), compareVersions(before, after)].flat()
  const seen = found.map(({ kind, direction = 'always' }) => `${kind}, ${direction}`)
  const all = names.flatMap((kind) =>
    Object.keys(effectsOf(kind)).map((direction) => `${kind}, ${direction}`),
  )
  expect(all.filter((one) => !seen.includes(one))).toEqual([])
})

afterAll(() => {
  const rows = [...cases].map(([name, { there, back }]) => {
    return `${name.padEnd(34)} ${there.verdict.padEnd(11)} ${back.verdict}`
  })
  console.log(`${'case'.padEnd(34)} there       back\n${rows.join('\n')}\n${cases.size} cases`)
})
