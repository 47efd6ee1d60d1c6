import { currentVersion, versions as dates } from '../contract/contract.ts'
import { declare, writeSource } from './source.ts'

/** Writes the list of dated versions, each with a way to load its operations. */
export function versions(): void {
  const rows = dates.map((date) => `  '${date}': () => import('./${date}/operations.ts'),\n`)
  writeSource('versions.ts', 'generate/versions.ts', [
    declare('Every dated version, oldest first.', `const versions = {\n${rows.join('')}}`),
    declare('A dated version of the interface.', 'type Version = keyof typeof versions'),
    declare(
      'The version that applies when neither the request nor the client names one.',
      `const currentVersion: Version = '${currentVersion}'`,
    ).trimEnd(),
  ])
}
