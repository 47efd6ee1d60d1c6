import type { Schema } from '../../scripts/contract/contract.ts'
import type { FormCompiler } from '../../src/contract/form-compiler.ts'
import type { Case } from './bodies.ts'
import type { Fields } from './facts.ts'
import type { ContractField } from './field-view.ts'

/** Lists the sample values of a body's fields that the contract judges differently. */
export function misjudgedSamples(
  compiler: FormCompiler,
  fields: Fields,
  found: Map<string, ContractField>,
): string[] {
  return [...fields].flatMap(([path, { accepts = [], refuses = [] }]) => {
    const field = found.get(path)
    if (!field || accepts.length + refuses.length === 0) return []
    const fits = compiler.compile(field.schema)
    return [
      ...accepts.filter((sample) => !fits(sample)).map((sample) => ['accepts', sample, 'refuses']),
      ...refuses.filter((sample) => fits(sample)).map((sample) => ['refuses', sample, 'accepts']),
    ].map(
      ([verb, sample, other]) =>
        `\`${path}\` ${verb} ${JSON.stringify(sample)}: the contract ${other} it`,
    )
  })
}

/** Lists the cases that the exact form of a schema judges differently. */
export function misjudgedExactly(compiler: FormCompiler, schema: Schema, cases: Case[]): string[] {
  const fits = compiler.compile(schema)
  return cases.flatMap(({ name, body, code }) => {
    if (fits(body) === (code === undefined)) return []
    const why = (fits.errors ?? []).map(
      (error) => `${error.instancePath || '$'} ${error.schemaPath}`,
    )
    return [
      `${name}: the contract does not${why.length > 0 ? ` (${why.slice(0, 4).join(', ')})` : ''}`,
    ]
  })
}
