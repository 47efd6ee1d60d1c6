import { escapeHtml } from './escape-html.ts'

/** Lines over time. The name of each stands at its end, since color alone must not carry information. */
interface LineChart {
  /** The text for screen readers. */
  title: string
  lines: readonly Line[]
  /** The greatest value of the axis. */
  height: number
  /** A value that is marked across the chart, with its label. */
  mark: { value: number; label: string }
  /** What stands below the two ends. */
  from: string
  to: string
}

interface Line {
  label: string
  values: readonly number[]
}

// All down is in pixels. The lines are stretched to the width of the page, and texts are not.
const sizes = { top: 20, plot: 180, bottom: 26 }
const stretched = 1000

/** The chart as SVG that takes its colors from the page, and fits a phone without small letters. */
export function lineChart({ title, lines, height, mark, from, to }: LineChart): string {
  const down = (value: number) => Math.round((1 - value / height) * sizes.plot * 10) / 10
  const whole = sizes.top + sizes.plot + sizes.bottom
  const markAt = down(mark.value)
  const text = (x: string, y: number, words: string, anchor = 'start') =>
    `<text x="${x}" y="${y}" text-anchor="${anchor}">${escapeHtml(words)}</text>`
  const parts = [
    `<svg y="${sizes.top}" width="100%" height="${sizes.plot}" viewBox="0 0 ${stretched} ${sizes.plot}" preserveAspectRatio="none" class="chart-plot">`,
    `<line x1="0" x2="${stretched}" y1="${markAt}" y2="${markAt}" class="chart-mark"/>`,
    ...lines.map((line, index) => drawLine(line, index, down)),
    '</svg>',
    text('30%', sizes.top + markAt + 18, mark.label),
    ...lines.map(({ label, values }, index) => {
      const end = sizes.top + down(values.at(-1) ?? 0)
      return text('100%', index % 2 ? end + 18 : end - 8, label, 'end')
    }),
    text('0', whole - 6, from),
    text('100%', whole - 6, to, 'end'),
  ]
  return `<figure class="chart">
<svg role="img" aria-label="${escapeHtml(title)}" width="100%" height="${whole}">
${parts.join('\n')}
</svg>
</figure>`
}

function drawLine({ values }: Line, index: number, down: (value: number) => number): string {
  const step = stretched / Math.max(1, values.length - 1)
  const points = values.map((value, at) => `${Math.round(at * step * 10) / 10},${down(value)}`)
  return `<polyline points="${points.join(' ')}" class="chart-line chart-line-${index + 1}"/>`
}
