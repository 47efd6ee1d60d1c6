import { currentVersion, readBundle, type Schema } from '../contract/contract.ts'
import { ofClients } from '../contract/undated.ts'
import { declare, writeSource } from './source.ts'

/** Writes every named enum that clients meet as a value, for programs that list or look up. */
export function enums(): void {
  const schemas = Object.assign(
    {},
    ...[...ofClients, currentVersion].map((name) => readBundle(name).components.schemas),
  ) as Record<string, Schema>
  const named = Object.entries(schemas).filter(([, schema]) => schema.enum)
  const parts = named.flatMap(([name, schema]) => declared(name, schema))
  writeSource(`${currentVersion}/enums.ts`, 'generate/enums.ts', parts)
}

function declared(name: string, schema: Schema): string[] {
  const { description = '', enum: values = [] } = schema
  const list = values.map((value) => `  ${JSON.stringify(value)},\n`).join('')
  const words = `${description.trim()}\n\n${listValues(schema)}`.trim()
  const text = words.replaceAll('\n', '\n * ').replaceAll(/ +$/gm, '').replaceAll('*/', '*\\/')
  return [
    declare(text, `const ${name} = [\n${list}] as const`).trimEnd(),
    declare(
      `One of the values of {@link ${name}} that this release knows.`,
      `type ${name} = (typeof ${name})[number]`,
    ),
  ]
}

/** What each value of an enum means, as a list; empty where the contract does not say. */
export function listValues(schema: Schema): string {
  const words = schema['x-enumDescriptions'] as Record<string, string> | undefined
  const lines = Object.entries(words ?? {}).map(([value, text]) => `- \`${value}\`: ${text}`)
  return lines.map((line) => line.replaceAll(/\s*\n\s*/g, ' ')).join('\n')
}
