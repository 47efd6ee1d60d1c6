import type { Contract, Schema } from './document.ts'

// Editors and many tools show what stands at a field, and not what its `$ref` points at.

/** Repeats at each field that says nothing itself what its type says. */
export const repeatWords = (contract: Contract, schema: Schema): Schema =>
  changeFields(schema, (field) => ({ ...field, ...wordsOf(contract, field), ...wordsIn(field) }))

/** Leaves out what a field only repeats. */
export const strikeWords = (contract: Contract, schema: Schema): Schema =>
  changeFields(schema, (field) => {
    if (!field.$ref && !listsObjects(contract, field)) return field
    const { description: _, examples: __, ...rest } = field
    const repeated = wordsOf(contract, rest)
    const own = Object.entries(field).filter(([keyword, value]) => {
      return JSON.stringify(value) !== JSON.stringify(repeated[keyword])
    })
    return Object.fromEntries(own)
  })

/** Only the example of an object can change with a version while the list stays as it is. */
const listsObjects = (contract: Contract, { items }: Schema): boolean =>
  items?.$ref !== undefined && targetOf(contract, items).properties !== undefined

function changeFields(schema: Schema, change: (field: Schema) => Schema): Schema {
  if (!schema.properties) return schema
  const fields = Object.entries(schema.properties).map(([name, field]) => [name, change(field)])
  return { ...schema, properties: Object.fromEntries(fields) }
}

function wordsIn({ description, examples }: Schema): Schema {
  return { ...(description ? { description } : {}), ...(examples ? { examples } : {}) }
}

function wordsOf(contract: Contract, field: Schema): Schema {
  const { description } = targetOf(contract, field)
  const examples = examplesOf(contract, field)
  return {
    ...(field.$ref && description ? { description } : {}),
    ...(examples.length > 0 ? { examples } : {}),
  }
}

/** The examples of the type, or its first value, or a list of its element's first example. */
function examplesOf(contract: Contract, schema: Schema): unknown[] {
  const { examples, enum: values, items } = targetOf(contract, schema)
  if (examples) return examples
  if (values) return values.slice(0, 1)
  const element = items ? examplesOf(contract, items).slice(0, 1) : []
  return element.length > 0 ? [element] : []
}

const targetOf = ({ components }: Contract, schema: Schema): Schema =>
  (schema.$ref && components.schemas[schema.$ref.split('/').pop()!]) || schema
