import { currentVersion, readBundle, type Schema } from '../contract/contract.ts'
import { declare, writeSource } from './source.ts'

/** Writes every named enum of the current version as a value, for programs that list or look up. */
export function enums(): void {
  const named = Object.entries(readBundle().components.schemas).filter(([, schema]) => schema.enum)
  const parts = named.flatMap(([name, schema]) => declared(name, schema))
  writeSource(`${currentVersion}/enums.ts`, 'generate/enums.ts', parts)
}

function declared(name: string, { description = '', enum: values = [] }: Schema): string[] {
  const list = values.map((value) => `  ${JSON.stringify(value)},\n`).join('')
  const text = description.trim().replaceAll('\n', '\n * ').replaceAll('*/', '*\\/')
  return [
    declare(text, `const ${name} = [\n${list}] as const`).trimEnd(),
    declare(
      `One of the values of {@link ${name}} that this release knows.`,
      `type ${name} = (typeof ${name})[number]`,
    ),
  ]
}
