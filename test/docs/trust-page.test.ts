import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { root } from '../../scripts/contract/contract.ts'
import { markdownOf } from '../../scripts/docs/markdown-version.ts'
import { metricTable } from '../../scripts/docs/metric-table.ts'
import { type Recorded, trustPage } from '../../scripts/docs/trust-page.ts'
import { metricList } from '../../src/server/observe/metric-list.ts'

const row = (topic: string, figures: Recorded['figures'] = {}, claim = 'It holds'): Recorded => ({
  topic,
  claim,
  figures,
  scale: 'quick',
  day: '2026-03-01',
  machine: '2 cores, Node 24',
})

const textOf = (rows: readonly Recorded[]): string => markdownOf(trustPage(rows))

describe('the page on trust', () => {
  test('has a section for each topic that was recorded, and none for the others', () => {
    const text = textOf([row('power'), row('kill')])
    expect(text.match(/^##+ .*$/gm)).toEqual([
      '## Faults',
      '### Killed processes',
      '### Power loss',
    ])
    expect(text).toContain('at the scale “quick”, on 2026-03-01')
    expect(text).toContain('Recorded on: 2 cores, Node 24.')
  })

  test('begins with sums, without those of controls', () => {
    const text = textOf([
      row('kill', { acknowledged: 1500, lost: 0 }),
      row('disk', { acknowledged: 500, lost: 1 }),
      row('power', { acknowledged: 7, lost: 7 }, 'control: it fails'),
    ])
    expect(text).toContain('**2,000** acknowledged writes, **1** lost')
    expect(text).not.toContain('attempts')
  })

  test('says so where nothing was recorded', () => {
    expect(textOf([])).toContain('No figures have been recorded')
  })

  test('shows figures with their units', () => {
    const text = textOf([
      row('kill', { kills: 2000, stop_ms: 1500, requests_per_s: 9, by: 'hand' }),
    ])
    expect(text).toContain(
      'kills **2,000**, stop **1,500\u00a0ms**, requests **9 a second**, by **hand**',
    )
  })

  test('takes nothing of a claim for Markdown or HTML', () => {
    const text = textOf([row('kill', {}, 'a | b <script> {{ c }}, 1 < 2')])
    expect(text).toContain('a \\| b ‹script> { { c }}, 1 < 2')
  })

  test('shows a topic that it does not know under its own name', () => {
    expect(textOf([row('gravity')]).match(/^##+ .*$/gm)).toEqual(['## More', '### gravity'])
  })
})

test('the guide for operators lists every metric, and asks for none that is not there', () => {
  const guide = readFileSync(join(root, 'src/docs/guides/15-operate.md'), 'utf8')
  const named = [...guide.matchAll(/\bfds_[a-z_]+/g)].map(([name]) => name)
  const known = Object.keys(metricList)
  const isKnown = (name: string) => known.includes(name.replace(/_(bucket|sum|count)$/, ''))
  expect(named.filter((name) => !isKnown(name))).toEqual([])
  for (const name of known) expect(metricTable()).toContain(`| \`${name}\` |`)
})
