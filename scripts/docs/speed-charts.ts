import { mostLoaded } from '../bench/cold-start.ts'
import type { Level } from '../bench/levels.ts'
import { serverTitles } from '../bench/server-names.ts'
import type { Throughput } from '../bench/throughput.ts'
import { floorLevelName } from '../bench/throughput-levels.ts'
import type { MemorySeries } from '../bench/watch-memory.ts'
import { barChart } from './bar-chart.ts'
import { lineChart } from './line-chart.ts'

/** What each server does of the first operation. */
export function serverChart(rows: readonly Throughput[]): string {
  const own = rows.filter((row) => row.case === rows[0]?.case)
  const bars = own.map((row) => ({
    label: `${row.server} ${Math.round(row.rate).toLocaleString('en')}`,
    value: row.rate,
    own: /^(sqlite|postgres)/.test(row.server),
  }))
  const values = own.map((row) => `${serverTitles[row.server]} ${Math.round(row.rate)}`).join(', ')
  const title = `Requests a second of ${own[0]?.case}: ${values}`
  const width = Math.max(1, ...bars.map(({ value }) => value))
  return barChart({ title, width, groups: [{ label: '', bars }] })
}

/** What the service does of each operation, beside its levels. */
export function operationChart(rows: readonly Throughput[], levels: readonly Level[]): string {
  const groups = [...Map.groupBy(rows, (row) => row.case)].map(([label, of]) => ({
    label,
    bars: of
      .filter(({ server }) => ['sqlite', 'postgres', 'postgres-2'].includes(server))
      .map((row) => {
        const value = Math.round((row.ofFloor?.perCpu?.median ?? 0) * 100) / 100
        const name = floorLevelName(`${label} on ${row.server}`)
        const level = levels.find(({ what }) => what === name)
        const marks = level ? [level.first] : []
        return { label: `${row.server} ${value}`, value, own: true, marks }
      }),
  }))
  const bars = groups.flatMap((group) => group.bars)
  const width = Math.max(1, ...bars.flatMap(({ value, marks }) => [value, ...marks]))
  const values = groups.map(
    (group) => `${group.label}: ${group.bars.map((bar) => bar.label).join(', ')}`,
  )
  const title = `Requests for a second of CPU, as a part of the floor's. ${values.join('; ')}`
  return barChart({ title, width, groups })
}

/** The memory of the services while they are measured, beside its level. */
export function memoryChart(series: readonly MemorySeries[]): string {
  const [first] = series
  if (!first) return ''
  const lines = series.map(({ server, values }) => ({
    label: `${server} ${Math.round(values.at(-1) ?? 0)} MB`,
    values,
  }))
  const most = series.map(
    ({ server, values }) =>
      `${serverTitles[server]}, at most ${Math.round(Math.max(...values))} MB`,
  )
  const seconds = first.values.length * first.everySeconds
  return lineChart({
    title: `Resident memory during the load: ${most.join('; ')}`,
    lines,
    height: Math.max(mostLoaded, ...series.flatMap(({ values }) => values)),
    mark: { value: mostLoaded, label: `level ${mostLoaded} MB` },
    from: 'start',
    to: `after ${Math.round(seconds / 60)} minutes`,
  })
}
