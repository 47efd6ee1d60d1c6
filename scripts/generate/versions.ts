import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { banner, currentVersion, versions as dates, root } from '../contract/contract.ts'

/** Writes the list of dated versions, each with a way to load its operations. */
export function versions(): void {
  const rows = dates.map((date) => `  '${date}': () => import('./${date}/operations.ts'),`)
  const source = [
    banner('generate/versions.ts'),
    '/** Every dated version, oldest first. */',
    `export const versions = {\n${rows.join('\n')}\n}\n`,
    '/** A dated version of the interface. */',
    'export type Version = keyof typeof versions\n',
    '/** The version that applies when neither the request nor the client names one. */',
    `export const currentVersion: Version = '${currentVersion}'`,
    '',
  ]
  writeFileSync(join(root, 'generated/versions.ts'), source.join('\n'))
}
