import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { banner } from '../contract/contract.ts'
import { outFolder } from '../contract/place.ts'

/** Writes a file below `generated/`; `script` is the file below `scripts/` that makes it. */
export function writeSource(path: string, script: string, parts: readonly string[]): void {
  writeFileSync(join(outFolder, 'generated', path), [banner(script), ...parts, ''].join('\n'))
}

/** A declaration with its comment, and an empty line after it. */
export const declare = (comment: string, code: string): string =>
  `/** ${comment} */\nexport ${code}\n`

/** A constant with its comment; the type is as narrow as the value unless one is given. */
export const declareValue = (comment: string, name: string, value: unknown, indent = 2): string =>
  declare(comment, `const ${name} = ${JSON.stringify(value, null, indent)} as const`)

/** A constant that is a list of texts to its users. */
export const declareList = (comment: string, name: string, values: readonly unknown[]): string =>
  declare(comment, `const ${name}: readonly string[] = ${JSON.stringify(values)}`)
