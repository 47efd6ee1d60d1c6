import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import {
  banner,
  currentVersion,
  generatedFolder,
  readBundle,
  type Schema,
} from '../contract/contract.ts'

/** Writes every named enum of the current version as a value, for programs that list or look up. */
export function enums(): void {
  const { schemas } = readBundle().components
  const named = Object.entries(schemas).filter(([, schema]) => schema.enum)
  const source = [
    banner('generate/enums.ts'),
    ...named.map(([name, schema]) => declared(name, schema)),
    '',
  ]
  writeFileSync(join(generatedFolder(currentVersion), 'enums.ts'), source.join('\n'))
}

function declared(name: string, { description = '', enum: values = [] }: Schema): string {
  const list = values.map((value) => `  ${JSON.stringify(value)},`).join('\n')
  const text = description.trim().replaceAll('\n', '\n * ').replaceAll('*/', '*\\/')
  return [
    `/** ${text} */`,
    `export const ${name} = [\n${list}\n] as const`,
    `/** One of the values of {@link ${name}} that this release knows. */`,
    `export type ${name} = (typeof ${name})[number]\n`,
  ].join('\n')
}
