import { type MetricEntry, metricList } from '../../src/server/observe/metric-list.ts'

/** The metrics of the service as a Markdown table, with their help texts. */
export const metricTable = (): string => {
  const rows = Object.entries<MetricEntry>(metricList).map(([name, { type, labels, help }]) => {
    const by = labels.map((label) => `\`${label}\``).join(', ')
    return `| \`${name}\` | ${type}${by ? ` by ${by}` : ''}: ${help} |`
  })
  return ['| metric | what it tells |', '|---|---|', ...rows].join('\n')
}
