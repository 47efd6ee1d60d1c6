import { isRule } from '../../src/contract/published.ts'
import { type Contract, resolve, type Schema } from '../contract/contract.ts'

// A request that is either one thing or another is a union in the types, so that a call with neither
// does not compile. What a union says is derived from the rules between fields: `oneOf`, `anyOf` and
// `not` over required fields, and `if` with `then` where a field with a few values decides. Rules that
// depend on anything else, such as whether a text is there, are left to the validators.

/** Stands for a field that may not be given. */
export const never: Schema = { 'x-never': true }

/**
 * A request's schema in which its rules about fields are unions of objects. What a header can say
 * instead is not asked for.
 */
export function withForms(contract: Contract, schema: Schema, replaced?: string): Schema {
  const unions = [...listed(contract, schema), ...excluded(contract, schema)]
  const withoutAsking = (form: Schema): Schema => ({
    ...form,
    required: form.required!.filter((name) => name !== replaced),
  })
  const all = [...unions, ...decided(contract, schema)].filter((forms) => forms.length > 1)
  if (all.length === 0) return schema
  const moved = all.flat().flatMap((form) => Object.keys(form.properties!))
  const properties = Object.entries(schema.properties!).filter(([name]) => !moved.includes(name))
  return {
    ...schema,
    properties: Object.fromEntries(properties),
    required: schema.required?.filter((name) => !moved.includes(name)) ?? [],
    allOf: [...(schema.allOf ?? []), ...all.map((forms) => ({ oneOf: forms.map(withoutAsking) }))],
  }
}

/** What a form says of fields: each with its schema, and those that it has to have. */
const form = (properties: Record<string, Schema>, required: Iterable<string> = []): Schema => ({
  type: 'object',
  properties,
  required: [...required],
})

/** The forms of `oneOf` and `anyOf`, where each part is about required fields. */
function listed(contract: Contract, schema: Schema): Schema[][] {
  return (['oneOf', 'anyOf'] as const).flatMap((keyword) => {
    const parts = schema[keyword] ?? []
    if (parts.length === 0 || !parts.every((part) => isRule(part) && part.required)) return []
    const names = [...new Set(parts.flatMap(({ required }) => required!))]
    const forms = parts.map((part) => {
      const fields = names.map((name): [string, Schema] => {
        if (part.required!.includes(name)) return [name, given(contract, schema, part, name)]
        const others = parts.find(({ required }) => required!.includes(name))!
        const own = schema.properties![name]!
        return [name, keyword === 'oneOf' ? absent(contract, schema, others, name) : own]
      })
      return form(Object.fromEntries(fields), part.required)
    })
    return [forms]
  })
}

/** The forms of `not` with several required fields: one of them is missing. */
function excluded(contract: Contract, schema: Schema): Schema[][] {
  const names = schema.not?.required ?? []
  if (names.length < 2) return []
  const forms = names
    .filter((missing) => !schema.required?.includes(missing))
    .map((missing) => {
      const fields = names.map((name): [string, Schema] => {
        if (name === missing) return [name, absent(contract, schema, schema.not!, name)]
        return [name, schema.properties![name]!]
      })
      const kept = names.filter((name) => schema.required?.includes(name))
      return form(Object.fromEntries(fields), kept)
    })
  return [forms]
}

/** A field's schema where a part of a rule asks for it. */
function given(contract: Contract, schema: Schema, part: Schema, name: string): Schema {
  const own = schema.properties![name]!
  return refusesNull(part, name) ? withoutNull(contract, own) : own
}

/** A field's schema where a part of a rule may not be met: null, if that part is about other values. */
function absent(contract: Contract, schema: Schema, part: Schema, name: string): Schema {
  const own = schema.properties![name]!
  const nullable = withoutNull(contract, own) !== own
  return refusesNull(part, name) && nullable ? { ...described(own), type: 'null' } : never
}

const described = ({ description, examples }: Schema): Schema => ({
  ...(description ? { description } : {}),
  ...(examples ? { examples } : {}),
})

function refusesNull(part: Schema, name: string): boolean {
  const { type } = part.properties?.[name] ?? {}
  return type !== undefined && ![type].flat().includes('null')
}

/** The schema without null; the very same where it has none. */
function withoutNull(contract: Contract, schema: Schema): Schema {
  if (Array.isArray(schema.type) && schema.type.includes('null')) {
    return { ...schema, type: schema.type.filter((type) => type !== 'null') }
  }
  const isNull = (part: Schema): boolean => resolve(contract, part).type === 'null'
  if (!schema.anyOf?.some(isNull)) return schema
  return { ...schema, anyOf: schema.anyOf.filter((part) => !isNull(part)) }
}

/** A rule `if` and `then` in which the values of one field decide. */
interface Decision {
  field: string
  values: unknown[]
  then: Schema
}

/** The forms for each field that decides: values that ask for the same fields are one form. */
function decided(contract: Contract, schema: Schema): Schema[][] {
  const rules = [schema, ...(schema.allOf ?? [])].flatMap((rule) => decisionOf(rule) ?? [])
  const fields = [...new Set(rules.map(({ field }) => field))]
  return fields.map((field) => {
    const own = rules.filter((rule) => rule.field === field)
    return formsBy(contract, schema, field, own)
  })
}

function decisionOf(rule: Schema): Decision | undefined {
  const { required = [], properties = {} } = rule.if ?? {}
  const [field, ...others] = Object.keys(properties)
  if (!field || others.length > 0 || required.join() !== field) return undefined
  const values = properties[field]!.enum
  return values && rule.then && { field, values, then: rule.then }
}

function formsBy(contract: Contract, schema: Schema, field: string, rules: Decision[]): Schema[] {
  const own = schema.properties?.[field]
  const values = own && resolve(contract, own).enum
  const asked = rules.flatMap(({ then }) => [...(then.required ?? []), ...(forbidden(then) ?? [])])
  const names = [...new Set(asked)].filter((name) => schema.properties?.[name])
  if (!values || names.length === 0) return []
  const byFields = Map.groupBy(values, (value) => {
    const thens = rules.filter((rule) => rule.values.includes(value)).map(({ then }) => then)
    return JSON.stringify(thens.filter((then) => then.required || forbidden(then)))
  })
  const isRequired = schema.required?.includes(field) ?? false
  const forms = [...byFields].map(([text, some]) => {
    const thens = JSON.parse(text) as Schema[]
    const decider = { ...described(own), type: 'string', enum: some }
    const fields = decidedFields(contract, schema, names, thens)
    // Where the field itself may be left out, nothing that depends on it is asked for.
    const needed = isRequired || thens.length > 0 ? [field, ...fields.required!] : fields.required!
    return form({ [field]: decider, ...fields.properties }, needed)
  })
  if (isRequired || byFields.has('[]')) return forms
  const free = decidedFields(contract, schema, names, [])
  return [...forms, form({ [field]: never, ...free.properties }, free.required)]
}

/** What the outcomes of rules say of these fields. */
function decidedFields(contract: Contract, schema: Schema, names: string[], thens: Schema[]) {
  const asking = (name: string) => thens.find((then) => then.required?.includes(name))
  const fields = names.map((name): [string, Schema] => {
    if (thens.some((then) => forbidden(then)?.includes(name))) return [name, never]
    const then = asking(name)
    return [name, then ? given(contract, schema, then, name) : schema.properties![name]!]
  })
  const required = names.filter((name) => schema.required?.includes(name) || asking(name))
  return form(Object.fromEntries(fields), required)
}

/** The one field that a rule's outcome forbids. */
const forbidden = ({ not }: Schema): string[] | undefined =>
  not?.required?.length === 1 && !not.properties ? not.required : undefined
