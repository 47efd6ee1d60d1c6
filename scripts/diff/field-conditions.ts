import { type Contract, resolve, type Schema } from '../contract/contract.ts'
import { meaningOf } from './meaning.ts'
import { tableOf } from './rule-tables.ts'

/** A schema, and the JSON Pointer of the place in its document where it is written. */
export interface Located {
  schema: Schema
  at: string
}

/** A condition between fields: `if`, with what then holds, and what else. */
export interface Condition {
  key: string
  fields: string[]
  then: Located[]
  else: Located[]
  /** It and what follows from it, with references followed. */
  rules: Schema[]
  at: string
  /** The value, as JSON, if it asks for one value of one field. */
  asked?: { field: string; value: string }
}

/** Another rule between fields, that is only kept or not. */
export interface Rule {
  key: string
  fields: string[]
  schema: Schema
  at: string
}

/** The conditions of an `if`. One that asks for one of several values is one for each of them. */
export function readConditions(contract: Contract, schema: Schema, at: string): Condition[] {
  const place = at.replace(/\/if$/, '')
  const follow = (keyword: 'then' | 'else'): Located[] =>
    schema[keyword] ? [{ schema: schema[keyword], at: `${place}/${keyword}` }] : []
  const condition = expand(contract, schema.if!)
  const outcome = Object.fromEntries(
    (['then', 'else'] as const).flatMap((keyword) =>
      schema[keyword] ? [[keyword, expand(contract, schema[keyword])]] : [],
    ),
  )
  const all = schema.else ? [{ schema: condition }] : eachValue(condition)
  return all.map(({ schema: one, ...asked }) => ({
    key: tableOf([one]),
    fields: fieldsOf(condition),
    then: follow('then'),
    else: follow('else'),
    rules: [{ if: one, ...outcome }],
    at: place,
    ...asked,
  }))
}

/** The same condition for each of the values that it names, if it asks for one field only. */
function eachValue(condition: Schema): (Pick<Condition, 'asked'> & { schema: Schema })[] {
  const { required, properties = {} } = condition
  const [field = '', ...others] = Object.keys(properties)
  const { enum: values, ...rest } = properties[field] ?? {}
  const isAlone = others.length === 0 && required?.length === 1 && required[0] === field
  if (!isAlone || !values || Object.keys(rest).length > 0) return [{ schema: condition }]
  return values.map((value) => ({
    schema: { ...condition, properties: { [field]: { enum: [value] } } },
    asked: { field, value: JSON.stringify(value) },
  }))
}

export function readRules(contract: Contract, keyword: string, { schema, at }: Located): Rule[] {
  const parts: Schema[] =
    keyword === 'dependentRequired'
      ? Object.entries(schema as Record<string, string[]>).flatMap(([name, others]) =>
          others.map((other) => ({ dependentRequired: { [name]: [other] } })),
        )
      : [{ [keyword]: schema }]
  return parts.map((part) => {
    const rule = expand(contract, part)
    return { key: tableOf([rule]), fields: fieldsOf(rule), schema: rule, at }
  })
}

/** The rule with its references followed, without the text and the code of its error. */
function expand(contract: Contract, value: Schema, within: string[] = []): Schema {
  const visit = (part: unknown): unknown => {
    if (typeof part !== 'object' || part === null) return part
    if (Array.isArray(part)) return part.map(visit)
    const { $ref, 'x-error-code': _, ...rest } = part as Schema
    const own = Object.fromEntries(Object.entries(rest).map(([key, one]) => [key, visit(one)]))
    if (!$ref || within.includes($ref)) return own
    const target = meaningOf(resolve(contract, { $ref } as Schema))
    return { ...expand(contract, target, [...within, $ref]), ...own }
  }
  return visit(meaningOf(value)) as Schema
}

/** The names of the fields that a rule speaks of. */
function fieldsOf(rule: unknown): string[] {
  if (typeof rule !== 'object' || rule === null) return []
  const { required, properties, dependentRequired } = rule as Schema
  const own = [
    ...(Array.isArray(required) ? required : []),
    ...Object.keys(properties ?? {}),
    ...Object.entries((dependentRequired ?? {}) as Record<string, string[]>).flat(2),
  ]
  const below = Object.entries(rule)
    .filter(([key]) => key !== 'properties')
    .flatMap(([, part]) => fieldsOf(part))
  return [...new Set([...own, ...below])]
}
