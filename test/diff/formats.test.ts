import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import {
  currentVersion,
  documents,
  readBundle,
  root,
  versions,
} from '../../scripts/contract/contract.ts'
import { allowanceOf } from '../../scripts/diff/allowance.ts'
import { toAnnotations, toJson, toMarkdown, toTerminal } from '../../scripts/diff/formats.ts'
import { toReport } from '../../scripts/diff/report.ts'
import { review } from '../../scripts/diff/review.ts'
import { type Edit, edited } from './edit.ts'

const designGuide = readFileSync(join(root, 'src/docs/guides/16-design-the-api.md'), 'utf8')

const edits: Edit[] = [
  { at: 'schemas/Transaction/properties/merchant_name/type', set: 'string' },
  { at: 'schemas/AccountBalances/properties/limit/type', set: ['number', 'string', 'null'] },
]

function reportOf(names: string[], version = '0.1.0', made = edits, base = 'main') {
  const contracts = names.map((name) => {
    const before = readBundle(name)
    return [name, { before, after: edited(before, made) }] as const
  })
  return toReport(review(new Map(contracts)), {
    base: { name: base, commit: '0123456789abcdef' },
    version: allowanceOf('0.1.0', version),
    documents,
    harmless: [],
  })
}

const report = reportOf(versions)

/** The line that a finding points at, in the file written by hand. */
const lineAt = ({ file, line }: { file: string; line: number }): string =>
  readFileSync(join(root, file), 'utf8').split('\n')[line - 1]!

test('what every version has is reported once, at the line where it is written', () => {
  const [limit, merchant] = report.findings
  expect(limit).toMatchObject({
    sentence: '`accountsGet` answer: `accounts[].balances.limit` may now also be a string',
    documents: versions,
    source: { file: 'openapi/components/schemas/items/AccountBalances.yaml' },
  })
  expect(lineAt(limit!.source)).toMatch(/^ {4}type:/)
  expect(merchant).toMatchObject({ verdict: 'compatible', documents: versions })
})

test('what only an older version has is reported at its overlay', () => {
  const [limit] = reportOf(['2018-05-22']).findings
  expect(limit!.source.file).toBe('openapi/versions/2018-05-22.overlay.yaml')
})

test('the guide for API designers shows what is printed', () => {
  const made: Edit[] = [
    { at: 'schemas/TransactionsSyncRequest/properties/count/maximum', set: 100 },
    { at: 'schemas/Wallet/properties/nickname', set: { type: 'string' } },
  ]
  const printed = toTerminal(reportOf(versions, '0.1.0', made, 'origin/main'), false)
  expect(designGuide).toContain(`\`\`\`text\n${printed}\`\`\`\n`)
})

describe('formats', () => {
  test('a terminal shows what breaks first, then why, where else and what to do', () => {
    const lines = toTerminal(report, false).split('\n')
    expect(lines.slice(0, 4)).toEqual([
      'Every version',
      '  ✗ `accountsGet` answer: `accounts[].balances.limit` may now also be a string',
      '      Programs that rely on the contract as it was fail.',
      expect.stringMatching(
        /^ {6}also `identityGet` answer: `accounts\[\]\.balances\.limit`, .* place/,
      ),
    ])
    expect(lines).toContain('1 breaking change, 1 other, compared with main (01234567).')
    expect(lines).toContain('The version number does not announce this: it is 0.1.0, after 0.1.0.')
    expect(lines.at(-2)).toBe("version, raise the contract's info.version to 0.2.0.")
  })

  test('only a terminal with colours gets colours', () => {
    const colour = String.fromCharCode(27)
    expect(
      [toTerminal(report, true), toTerminal(report, false)].map((text) => text.includes(colour)),
    ).toEqual([true, false])
  })

  test('Markdown says the same', () => {
    const text = toMarkdown(report)
    expect(text).toMatch(/^### Breaking changes of the contract\n/)
    expect(text).toContain(
      '- **Breaking:** `accountsGet` answer: `accounts[].balances.limit` may now also be a string. ',
    )
  })

  test('annotations are errors at the line, or warnings where the version allows it', () => {
    const { source, sentence, effect } = report.findings[0]!
    const at = `file=${source.file},line=${source.line},title=Breaking change::${sentence}. ${effect}\n`
    expect(toAnnotations(report)).toBe(`::error ${at}`)
    expect(toAnnotations(reportOf([currentVersion], '0.2.0'))).toBe(`::warning ${at}`)
  })

  test('JSON holds every path', () => {
    const [limit] = JSON.parse(toJson(report)).findings
    expect(limit.places.map(({ name }: { name: string }) => name)).toContain('transactionsSync')
  })

  test('nothing is said when nothing changed', () => {
    const none = toReport([], { ...report, version: allowanceOf('0.1.0', '0.1.0') })
    expect(toTerminal(none, false)).toBe(
      'Nothing changed for programs, compared with main (01234567).\n',
    )
    expect(toAnnotations(none)).toBe('')
  })
})

test.each([
  ['1.2.3', '1.3.0', false, '2.0.0'],
  ['1.2.3', '2.0.0', true, '2.0.0'],
  ['0.1.0', '0.1.9', false, '0.2.0'],
  ['0.1.0', '0.2.0', true, '0.2.0'],
  ['0.9.0', '1.0.0', true, '0.10.0'],
  ['2.0.0', '1.9.0', false, '3.0.0'],
])('from %s to %s: breaking is allowed: %s', (before, after, isAllowed, needed) => {
  expect(allowanceOf(before, after)).toEqual({ before, after, isAllowed, needed })
})
