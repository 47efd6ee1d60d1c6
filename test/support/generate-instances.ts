import fc from 'fast-check'
import { type Contract, resolve, type Schema } from '../../scripts/contract/contract.ts'
import { withField } from '../../src/conform/mutations.ts'
import { flatten } from '../../src/contract/flatten.ts'
import { isRule } from '../../src/contract/published.ts'

// Instances that keep to what a schema says of each value. Rules between fields are kept where they
// name the fields that must or must not be there; the others an instance may break, which is why
// every test asks a reference what an instance is worth.

type Any = fc.Arbitrary<unknown>

type Of = (schema: Schema) => Any

/**
 * Derives an arbitrary for a schema, and shares those of the components that it leads to. Open
 * objects get unknown fields now and then, unless `closed`.
 */
export function instancesOf(contract: Contract, closed = false): Of {
  const known = new Map<Schema, Any>()
  const of: Of = (schema) => {
    const target = resolve(contract, schema)
    const arbitrary = known.get(target) ?? derive(flatten(contract, target), of, closed)
    known.set(target, arbitrary)
    return arbitrary
  }
  return of
}

function derive(schema: Schema, of: Of, closed: boolean): Any {
  if (schema.enum) return fc.constantFrom(...schema.enum)
  const alternatives = schema.anyOf?.filter((part) => !isRule(part)) ?? []
  if (alternatives.length > 0) return fc.oneof(...alternatives.map(of))
  const types = schema.type === undefined ? ['object'] : [schema.type].flat()
  return fc.oneof(...types.map((type) => ofType(type, schema, of, closed)))
}

function ofType(type: string, schema: Schema, of: Of, closed: boolean): Any {
  switch (type) {
    case 'null':
      return fc.constant(null)
    case 'boolean':
      return fc.boolean()
    case 'integer':
      return fc.integer(bounds(schema, -1000, 1000))
    case 'number':
      return fc.double({ ...bounds(schema, -1e9, 1e9), noNaN: true })
    case 'string':
      return text(schema)
    case 'array':
      return list(schema, of)
    default:
      return record(schema, of, closed)
  }
}

const number = (schema: Schema, keyword: string): number | undefined =>
  schema[keyword] as number | undefined

function bounds(schema: Schema, min: number, max: number) {
  return {
    min: number(schema, 'minimum') ?? min,
    max: number(schema, 'maximum') ?? Math.max(max, number(schema, 'minimum') ?? max),
  }
}

/** As addresses are; fast-check's own makes the table that `anyCharacter` is there to avoid. */
const uri = fc
  .record({
    scheme: fc.constantFrom('http', 'https'),
    host: fc.domain(),
    path: fc.array(fc.stringMatching(/^(?:[\w.~!$&'()*+,;=:@-]|%[0-9A-F]{2}){0,8}$/), {
      maxLength: 3,
    }),
    query: fc.constantFrom('', '?', '?a=1&b=%20', '?q=/?'),
  })
  .map(({ scheme, host, path, query }) => `${scheme}://${[host, ...path].join('/')}${query}`)

const formats: Record<string, fc.Arbitrary<string>> = {
  date: fc.date({ noInvalidDate: true, min: new Date(0) }).map((at) => day(at)),
  'date-time': fc.date({ noInvalidDate: true, min: new Date(0) }).map((at) => moment(at)),
  email: fc.emailAddress(),
  uri,
  uuid: fc.uuid(),
  ipv4: fc.ipV4(),
  ipv6: fc.ipV6(),
}

const day = (at: Date): string => moment(at).slice(0, 10)
const moment = (at: Date): string => new Date(at.getTime() % 2e14).toISOString()

const mostDrawn = 9999

// fast-check's own unit `binary` draws the same, and makes a table of all of Unicode first.
const anyCharacter = fc
  .oneof(fc.integer({ min: 0, max: 0xd7ff }), fc.integer({ min: 0xe000, max: 0x10ffff }))
  .map((point) => String.fromCodePoint(point))

function text(schema: Schema): fc.Arbitrary<string> {
  const min = number(schema, 'minLength') ?? 0
  const max = number(schema, 'maxLength') ?? Number.POSITIVE_INFINITY
  const pattern = schema['pattern'] as string | undefined
  const format = formats[String(schema['format'])]
  const examples = (schema.examples ?? []).filter((value) => typeof value === 'string')
  const matching = pattern === undefined ? undefined : matches(pattern)
  const free = fc.string({ minLength: min, maxLength: Math.min(max, min + 40), unit: anyCharacter })
  const drawn = format ?? matching ?? free
  // A text without a bound need not be long for that: it would only make every body long.
  const edges = [min, max <= mostDrawn ? max : min + 300]
    .map((length) => 'x'.repeat(length))
    .filter(fits(pattern, format))
  const fixed = [...examples, ...edges]
  const all = fixed.length > 0 ? [drawn, fc.constantFrom(...fixed)] : [drawn]
  return fc.oneof(...all).filter((value) => isBetween(value, min, max))
}

/** Whether a text has so many characters; pairs of code units are counted only where that matters. */
function isBetween(value: string, min: number, max: number): boolean {
  const units = value.length
  if (units <= max && units >= 2 * min) return true
  const count = [...value].length
  return count <= max && count >= min
}

/** Whether a text that was not drawn for them meets pattern and format. */
const fits = (pattern: string | undefined, format: unknown) => (value: string) =>
  format === undefined && (pattern === undefined || new RegExp(pattern, 'u').test(value))

/**
 * fast-check knows no lookahead and no Unicode classes: the former is asked for afterwards, the
 * latter fall back on free text.
 */
function matches(pattern: string): fc.Arbitrary<string> | undefined {
  if (!ofPatterns.has(pattern)) ofPatterns.set(pattern, derivePattern(pattern))
  return ofPatterns.get(pattern)
}

const ofPatterns = new Map<string, fc.Arbitrary<string> | undefined>()

function derivePattern(pattern: string): fc.Arbitrary<string> | undefined {
  const regexp = new RegExp(pattern, 'u')
  const plain = new RegExp(pattern.replaceAll(/\(\?[!=][^()]*\)/g, ''), 'u')
  try {
    return fc.stringMatching(plain, { size: 'xsmall' }).filter((value) => regexp.test(value))
  } catch {
    return fc.string({ maxLength: 10 }).filter((value) => regexp.test(value))
  }
}

function list(schema: Schema, of: Of): Any {
  const minLength = number(schema, 'minItems') ?? 0
  const maxLength = Math.min(number(schema, 'maxItems') ?? 2, minLength + 2)
  const options = { minLength, maxLength }
  if (!schema['uniqueItems']) return fc.array(of(schema.items!), options)
  return fc.uniqueArray(of(schema.items!), { ...options, selector: (item) => JSON.stringify(item) })
}

const unknownField = fc.record({
  key: fc.constantFrom('x_new', '__proto__', 'constructor', 'a/b', 'Ünïcödé'),
  value: fc.constantFrom<unknown>(null, 1, 'new', [], {}),
})

function record(schema: Schema, of: Of, closed: boolean): Any {
  const properties = schema.properties ?? {}
  const choices = fieldsChoices(schema)
  const shapes = choices.map(({ needed, banned }) => {
    const kept = Object.entries(properties).filter(([name]) => !banned.includes(name))
    const model = Object.fromEntries(kept.map(([name, part]) => [name, of(part)]))
    const requiredKeys = needed.filter((name) => name in model)
    return fc.record(model, { requiredKeys, noNullPrototype: true })
  })
  const drawn = fc.oneof(...shapes)
  const extra = schema.additionalProperties
  if (typeof extra === 'object') return map(of(extra))
  if (extra === false || closed) return drawn
  const more = fc.option(unknownField, { freq: 3 })
  return fc.tuple(drawn, more).map(([value, field]) => (field ? withField(value, field) : value))
}

function map(values: Any): Any {
  const unit = fc.constantFrom('A', 'B', 'c', '9')
  const keys = fc.string({ minLength: 3, maxLength: 3, unit })
  return fc.dictionary(keys, values, { maxKeys: 2, noNullPrototype: true })
}

interface Fields {
  needed: string[]
  banned: string[]
}

/** Which fields an object has and lacks by the rules beside its properties; one choice of each. */
function fieldsChoices(schema: Schema): Fields[] {
  const required = schema.required ?? []
  const forbidden = (schema.not?.required ?? []).slice(-1)
  const oneOf = rules(schema.oneOf)
  const anyOf = rules(schema.anyOf)
  if (oneOf.length === 0 && anyOf.length === 0) return [{ needed: required, banned: forbidden }]
  const exclusive = oneOf.map((fields) => ({
    needed: [...required, ...fields],
    banned: oneOf.filter((other) => other !== fields).flat(),
  }))
  const inclusive = anyOf.map((fields) => ({
    needed: [...required, ...fields],
    banned: forbidden.filter((name) => !fields.includes(name)),
  }))
  return [...exclusive, ...inclusive]
}

const rules = (parts: Schema[] | undefined): string[][] =>
  (parts ?? []).filter(isRule).map((part) => part.required ?? [])
