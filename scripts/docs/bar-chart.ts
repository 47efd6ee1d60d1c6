import { escapeHtml } from './escape-html.ts'

/** A bar chart. Each bar has a label as well, since color alone must not carry information. */
interface BarChart {
  /** The text for screen readers. */
  title: string
  groups: readonly BarGroup[]
  /** What the whole width stands for, which is not less than the greatest value. */
  width: number
}

interface BarGroup {
  label: string
  bars: readonly Bar[]
}

export interface Bar {
  /** What stands behind the bar. */
  label: string
  value: number
  /** Whether it is what the chart is about; the others stand beside it. */
  own: boolean
  /** Values that are marked across the bar. */
  marks?: readonly number[]
}

// The width is that of the page, so all across is in percent; all down is in pixels.
const sizes = { label: 22, bar: 12, gap: 8, group: 14 }
/** The part of the width that the longest bar has: words come behind it. */
const longest = 62

/** The chart as SVG that takes its colors from the page, and fits a phone without small letters. */
export function barChart({ title, groups, width }: BarChart): string {
  const across = (value: number) => `${Math.round((value / width) * longest * 100) / 100}%`
  const parts: string[] = []
  let y = 0
  for (const { label, bars } of groups) {
    if (label !== '') {
      y += sizes.label
      parts.push(`<text x="0" y="${y - 6}" class="chart-group">${escapeHtml(label)}</text>`)
    }
    for (const bar of bars) {
      parts.push(...drawBar(bar, y, across))
      y += sizes.bar + sizes.gap
    }
    y += sizes.group
  }
  const name = escapeHtml(title)
  return `<figure class="chart">
<svg role="img" aria-label="${name}" width="100%" height="${y}">
${parts.join('\n')}
</svg>
</figure>`
}

function drawBar({ label, value, own, marks = [] }: Bar, y: number, across: (v: number) => string) {
  const name = own ? 'chart-own' : 'chart-other'
  const [height, middle] = [sizes.bar, y + sizes.bar - 2]
  const end = Math.max(value, ...marks)
  return [
    `<rect x="0" y="${y}" width="${across(value)}" height="${height}" rx="2" class="${name}"/>`,
    ...marks.map((mark) => {
      const x = across(mark)
      return `<line x1="${x}" x2="${x}" y1="${y - 3}" y2="${y + height + 3}" class="chart-mark"/>`
    }),
    `<text x="${across(end)}" dx="8" y="${middle}">${escapeHtml(label)}</text>`,
  ]
}
