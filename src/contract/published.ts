import type { Contract, OperationObject, Schema } from './document.ts'
import { repeatWords, strikeWords } from './field-words.ts'

// Tools that others use read rules between fields in their own ways: some take conditions beside
// `properties` for the whole type, some close every part that names properties. So a rule is
// published in a form that they leave alone, and read here as it was written. Both forms accept
// the same values: `test/contract/published.test.ts`.

/** A part of a rule speaks about the properties of the schema that it stands in, and types nothing. */
export function isRule(part: Schema): boolean {
  return !part.$ref && part.type === undefined && !part.enum
}

/** The contract as it is published. */
export const published = (contract: Contract): Contract => changed(contract, publish, named)

/** A published contract as its sources have it. */
export const asWritten = (contract: Contract): Contract => changed(contract, restore, nameless)

/** A contract in which each field has words and an example of its own. */
export const described = (contract: Contract): Contract => changed(contract, describe, nameless)

type Change = (contract: Contract, schema: Schema, inRule: boolean) => Schema
type Webhook = Omit<OperationObject, 'operationId'> & { operationId?: string }

function changed(contract: Contract, change: Change, rename: (webhook: Webhook) => Webhook) {
  const { webhooks, components } = contract
  const schemas = mapValues(components.schemas, (schema) => change(contract, schema, false))
  return {
    ...contract,
    ...(webhooks ? { webhooks: mapValues(webhooks, ({ post }) => ({ post: rename(post) })) } : {}),
    components: { ...components, schemas },
  }
}

const mapValues = <T>(values: Record<string, T>, change: (value: T) => T): Record<string, T> =>
  Object.fromEntries(Object.entries(values).map(([name, value]) => [name, change(value)]))

function publish(contract: Contract, schema: Schema, inRule: boolean): Schema {
  const inside = changeParts(contract, schema, inRule, publish)
  return inRule ? complete(inside) : apart(repeatWords(contract, inside))
}

function restore(contract: Contract, schema: Schema, inRule: boolean): Schema {
  if (!inRule && isApart(schema)) return restore(contract, joined(schema), inRule)
  const own = inRule ? bare(schema) : strikeWords(contract, schema)
  return changeParts(contract, own, inRule, restore)
}

function describe(contract: Contract, schema: Schema, inRule: boolean): Schema {
  const inside = changeParts(contract, schema, inRule, describe)
  return inRule ? inside : repeatWords(contract, inside)
}

const lists = ['allOf', 'anyOf', 'oneOf'] as const
const conditions = ['if', 'then', 'else'] as const

/** Moves the rules of a schema under a condition that every value meets. */
function apart(schema: Schema): Schema {
  const rules: Schema = schema.not ? { not: schema.not } : {}
  const others: Schema = omit(schema, ['not', ...conditions, ...lists])
  for (const keyword of lists) {
    const parts = schema[keyword] ?? []
    if (parts.some(isRule)) rules[keyword] = parts.filter(isRule)
    if (!parts.every(isRule)) others[keyword] = parts.filter((part) => !isRule(part))
  }
  if (isEmpty(rules)) return schema
  for (const keyword of conditions) {
    if (schema[keyword]) rules[keyword] = schema[keyword]
  }
  return { ...others, if: {}, then: rules }
}

const isApart = ({ if: condition }: Schema): boolean =>
  condition !== undefined && isEmpty(condition)

function joined(schema: Schema): Schema {
  const { allOf = [], ...rules } = schema.then!
  const all = [...(schema.allOf ?? []), ...allOf]
  return { ...omit(schema, conditions), ...rules, ...(all.length > 0 ? { allOf: all } : {}) }
}

/** Lets a part of a rule name each property that it requires, and leave open all others. */
function complete(part: Schema): Schema {
  if (!part.properties && !part.required) return part
  const required = (part.required ?? []).map((name): [string, Schema] => [name, {}])
  return {
    ...part,
    properties: { ...Object.fromEntries(required), ...part.properties },
    unevaluatedProperties: {},
  }
}

function bare(part: Schema): Schema {
  const said = Object.entries(part.properties ?? {}).filter(([, own]) => !isEmpty(own))
  const rest = omit(part, ['unevaluatedProperties', 'properties'])
  return said.length > 0 ? { ...rest, properties: Object.fromEntries(said) } : rest
}

const isEmpty = (value: object): boolean => Object.keys(value).length === 0

const omit = (schema: Schema, names: readonly string[]): Schema =>
  Object.fromEntries(Object.entries(schema).filter(([name]) => !names.includes(name)))

/** Changes the schemas that stand in a schema. */
function changeParts(contract: Contract, schema: Schema, inRule: boolean, change: Change): Schema {
  const entries = Object.entries(schema).map(([keyword, value]): [string, unknown] => {
    const one = (part: Schema, isPart = inRule): Schema => change(contract, part, isPart)
    if (keyword === 'properties') {
      return [keyword, mapValues(value as Record<string, Schema>, (part) => one(part))]
    }
    if (keyword === 'allOf' || keyword === 'anyOf' || keyword === 'oneOf') {
      return [keyword, (value as Schema[]).map((part) => one(part, inRule || isRule(part)))]
    }
    if ([...conditions, 'not'].includes(keyword)) return [keyword, one(value as Schema, true)]
    const holdsSchema = ['items', 'additionalProperties', 'propertyNames'].includes(keyword)
    return [keyword, holdsSchema && typeof value === 'object' ? one(value as Schema) : value]
  })
  return Object.fromEntries(entries)
}

/** Webhooks are known by type and code; many tools want an operationId, which says the body's name. */
function named(webhook: Webhook): Webhook {
  const name = webhook.requestBody.content['application/json']!.schema.$ref!.split('/').pop()!
  return { ...webhook, operationId: name[0]!.toLowerCase() + name.slice(1) }
}

function nameless({ operationId: _, ...webhook }: Webhook): Webhook {
  return webhook
}
