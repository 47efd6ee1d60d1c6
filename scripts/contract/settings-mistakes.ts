import { globSync } from 'node:fs'
import { join } from 'node:path'
import { base, contractFolder } from './place.ts'
import { settings, settingsFile } from './settings.ts'
import { lineOf, readSource } from './yaml-source.ts'

/** What the settings name and the contract does not have, one line for each. */
export function settingsMistakes(): string[] {
  const { documents, pages, docs, mock } = settings
  const named: [way: string[], kind: string, name: string, file: string][] = [
    ...[...Object.keys(documents), ...pages].map((name): (typeof named)[number] => {
      return [[name in documents ? 'documents' : 'pages', name], 'document', name, name]
    }),
    [['docs', 'operation'], 'operation', docs.operation, `paths/*/${docs.operation}.yaml`],
    ...Object.entries<string>({ ...mock }).map(([field, key]): (typeof named)[number] => {
      return [['mock', field], 'error', key, `errors/${key}.yaml`]
    }),
  ]
  const cwd = join(base, contractFolder)
  const source = readSource(base, settingsFile)
  return named
    .filter(([, , , file]) => globSync(file, { cwd }).length === 0)
    .map(([way, kind, name]) => {
      const place = `${settingsFile}:${lineOf(source, way)}`
      return `${place}: \`${way.join('.')}\`: the contract has no ${kind} ${name}`
    })
}
