import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { currentVersion, versions as dates, root } from '../contract/contract.ts'
import { ofClients } from '../contract/undated.ts'

type Target = string | null | { types: string; default: string }

interface Manifest {
  imports: Record<string, string>
  exports: Record<string, Target>
}

const file = join(root, 'package.json')

/**
 * Writes the paths of package.json that name a dated version: `#contract/*`, which our sources import
 * the newest version by, and what users import. npm reads them from no other file.
 */
export function packageDates(): void {
  const manifest = JSON.parse(readFileSync(file, 'utf8')) as Manifest
  manifest.imports['#contract/*'] = `./generated/${currentVersion}/*`
  manifest.exports = Object.fromEntries(
    Object.entries(manifest.exports)
      .filter(([entry]) => !/^\.\/versions\/[^*]/.test(entry))
      .map(([entry, target]): [string, Target] => [entry, toNewest(target)])
      .flatMap((row) =>
        row[0] === './versions/*/types'
          ? [row, ...[...dates, ...ofClients].flatMap(validatorsOf)]
          : [row],
      ),
  )
  writeFileSync(file, `${JSON.stringify(manifest, null, 2)}\n`)
}

/** A path to a dated version, as one to the newest. */
function toNewest(target: Target): Target {
  const text = JSON.stringify(target)
  return JSON.parse(
    text.replaceAll(/\/generated\/\d{4}-\d\d-\d\d\//g, `/generated/${currentVersion}/`),
  )
}

/** A pattern has one star, so each document has an entry of its own. */
function validatorsOf(document: string): [string, Target][] {
  const path = `./dist/generated/${document}/validators/*`
  return [
    [`./versions/${document}/validators/*`, { types: `${path}.d.ts`, default: `${path}.js` }],
    [`./versions/${document}/validators/shared/*`, null],
  ]
}
