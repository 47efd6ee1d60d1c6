import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { root } from '../../scripts/contract/contract.ts'

/** The cells of the tables in CONTRIBUTING.md below a heading. */
export function tablesBelow(heading: string): string[][] {
  const text = readFileSync(join(root, 'CONTRIBUTING.md'), 'utf8')
  const [, section = ''] = text.split(`\n## ${heading}\n`)
  const lines = section.split('\n## ')[0]!.split('\n')
  return lines
    .filter((line) => line.startsWith('| '))
    .map((line) => line.split('|').slice(1, -1))
    .map((cells) => cells.map((cell) => cell.trim()))
}
