import { spawnSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { root } from '../contract/contract.ts'
import type { Contracts } from './finding.ts'
import { mergeAll } from './merge.ts'
import { excerptOf } from './users.ts'

/** A change as redocly reports it. */
export interface RedoclyChange {
  /** The JSON Pointer of the place, from the root through all references. */
  path: string
  typeName: string
  kind: 'added' | 'removed' | 'modified'
  impact: 'major' | 'minor' | 'patch'
  verdicts: { ruleId: string; message: string; location: { pointer: string } }[]
  property?: string
  base?: { pointer: string; value: unknown }
  revision?: { pointer: string; value: unknown }
}

/**
 * What redocly says of each pair of contracts, by name, apart from the schemas. One process rates all
 * of them, since most of its time is its start: they become one document, in which every name begins
 * with that of its pair.
 */
export function askRedocly(pairs: Map<string, Contracts>): Map<string, RedoclyChange[]> {
  const parts = [...pairs].map(([name, contracts]) => {
    return { name, contracts, excerpt: excerptOf(contracts) }
  })
  const isEmpty = parts.every(({ excerpt }) => excerpt.keys.size === 0 && !excerpt.hasOtherServers)
  if (isEmpty) return new Map()
  const changes = compareWithRedocly(mergeAll(parts, 'before'), mergeAll(parts, 'after'))
  return new Map(parts.map(({ name }) => [name, changesOf(changes, name)]))
}

function compareWithRedocly(before: object, after: object): RedoclyChange[] {
  const folder = mkdtempSync(join(tmpdir(), 'contract-'))
  const put = (name: string, text: string): string => {
    writeFileSync(join(folder, name), text)
    return join(folder, name)
  }
  try {
    const documents = [
      put('before.json', JSON.stringify(before)),
      put('after.json', JSON.stringify(after)),
    ]
    const config = put('redocly.yaml', 'extends: [diff-recommended]\n')
    const report = join(folder, 'report.json')
    const flags = ['--config', config, '--format=json', '--fail-on=none', '-o', report]
    run(['diff', ...documents, ...flags])
    return (JSON.parse(readFileSync(report, 'utf8')) as { changes: RedoclyChange[] }).changes
  } finally {
    rmSync(folder, { recursive: true })
  }
}

function run(args: string[]): void {
  const file = join(root, 'node_modules/@redocly/cli/bin/cli.js')
  const quiet = { REDOCLY_TELEMETRY: 'off', REDOCLY_SUPPRESS_UPDATE_NOTICE: 'true' }
  const env = { ...process.env, ...quiet, NO_COLOR: '1' }
  const { status, stderr } = spawnSync(process.execPath, [file, ...args], { cwd: root, env })
  if (status !== 0) throw new Error(`redocly cannot compare the contracts:\n${stderr}`)
}

/** The changes of one pair, in its own words. */
function changesOf(changes: RedoclyChange[], name: string): RedoclyChange[] {
  const own = changes.filter(({ path, base, revision }) => {
    return [path, base?.pointer, revision?.pointer].some((place) => belongsTo(place, name))
  })
  const text = JSON.stringify(own)
    .replaceAll(`~1${name}~1`, '~1')
    .replaceAll(`/${name}~1`, '/')
    .replaceAll(`/${name}/`, '/')
    .replaceAll(`/${name}.`, '/')
    .replaceAll(`${name}.`, '')
  return JSON.parse(text)
}

const belongsTo = (place: string | undefined, name: string): boolean =>
  (place !== undefined &&
    [`#/paths/~1${name}~1`, `#/paths/~1${name}/`, `#/webhooks/${name}~1`].some((start) =>
      place.startsWith(start),
    )) ||
  new RegExp(`^#/components/\\w+/${name.replaceAll('.', '\\.')}\\.`).test(place ?? '')
