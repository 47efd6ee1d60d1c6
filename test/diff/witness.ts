import { type Contract, reach, type Schema } from '../../scripts/contract/contract.ts'
import { createAjv, referenceTo, toDocument } from '../../src/contract/compile-schemas.ts'
import type { Form } from '../../src/contract/schema-forms.ts'

/** A value that the two contracts take differently, or one that both take. */
export interface Witness {
  schema: string
  /** Requests are checked as written, answers as clients check them. */
  form: Extract<Form, 'request' | 'tolerant'>
  /** Whose programs the value breaks. */
  breaks: 'there' | 'back' | 'nobody'
  value?: unknown
  /** In place of `value`: the schema's own example, with fields put in or taken out. */
  set?: Record<string, unknown>
  drop?: string
}

/** Whether the schema, as the contract has it, takes the witness. */
export function accepts(contract: Contract, { schema, form }: Witness, value: unknown): boolean {
  return validatorOf(contract, schema, form)(value)
}

export function validatorOf(
  contract: Contract,
  schema: string,
  form: Form,
): (value: unknown) => boolean {
  const names = [...reach(contract, [schema])]
  const schemas = Object.fromEntries(
    names.map((name) => [name, contract.components.schemas[name]!]),
  )
  const part = { ...contract, components: { ...contract.components, schemas } }
  const ajv = createAjv()
  ajv.addSchema(toDocument(part, form))
  const validate = ajv.getSchema(referenceTo({ schema, form }))!
  return (value) => validate(value) as boolean
}

/** The value itself, from the contract before the edit. */
export function witnessValue(contract: Contract, { schema, value, set, drop }: Witness): unknown {
  if (!set && !drop) return value
  const { [drop ?? '']: _, ...rest } = exampleOf(contract.components.schemas[schema]!)
  return { ...rest, ...set }
}

function exampleOf({ examples }: Schema): Record<string, unknown> {
  return examples![0] as Record<string, unknown>
}
