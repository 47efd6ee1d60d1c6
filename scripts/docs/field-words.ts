import type { Schema } from '../contract/contract.ts'
import { join } from '../contract/words.ts'
import { membersOf, type Shape } from './fields.ts'

const formats: Record<string, string> = {
  date: 'date',
  'date-time': 'date and time',
  email: 'e-mail address',
  ipv4: 'IPv4 address',
  ipv6: 'IPv6 address',
  uri: 'URL',
  uuid: 'UUID',
}

/** The type of a value: `array of strings (date)`, `string or object`. */
export function typeWords(shape: Shape, plural = false): string {
  const { schema, items, alternatives } = shape
  if (alternatives.length > 0) {
    return join([...new Set(alternatives.map((part) => typeWords(part, plural)))], 'or')
  }
  const s = plural ? 's' : ''
  if (items) {
    const kind = schema.type === 'object' ? 'map' : 'array'
    return `${kind}${s} of ${typeWords(items, true)}`
  }
  const types = jsonTypes(schema)
  const format = formats[String(schema['format'])]
  const name = join(
    types.map((type) => `${type}${s}`),
    'or',
  )
  return format ? `${name} (${format})` : name
}

function jsonTypes(schema: Schema): string[] {
  const types = [schema.type ?? []].flat()
  const named = types.filter((type) => type !== 'null')
  if (named.length > 0) return named
  if (types.length > 0) return types
  if (schema.properties) return ['object']
  const ofValues = schema.enum?.map((value) => typeof value) ?? ['any value']
  return [...new Set<string>(ofValues)]
}

/** A short statement about a field; what is in backticks is code. */
export interface Fact {
  label: string
  text: string
}

/** What a value must keep to: bounds, form, default. */
export function factsOf(shape: Shape): Fact[] {
  const { schema } = shape
  const isTold = schema['x-expected'] !== undefined
  const all: [label: string, text: unknown][] = [
    ['Default', quoted(schema['default'])],
    ['Must be', schema['x-expected']],
    ['Range', bounds(schema['minimum'], schema['maximum'], '')],
    ['Length', isTold ? '' : lengthWords(schema)],
    ['Pattern', isTold ? '' : quoted(schema['pattern'])],
    ['Items', bounds(schema['minItems'], schema['maxItems'], '')],
    ['Items', schema['uniqueItems'] ? 'each only once' : ''],
    ['Keys', bounds(schema['minProperties'], schema['maxProperties'], '')],
    ['Each key', schema.propertyNames?.['x-expected']],
    ['Encoding', encoding(schema)],
    [schema.properties ? 'If incomplete' : 'Refused with', quoted(schema['x-error-code'])],
    ['Example', exampleOf(shape)],
  ]
  return all
    .filter(([, text]) => text !== undefined && text !== '')
    .map(([label, text]) => ({ label, text: String(text) }))
}

const quoted = (value: unknown): string | undefined =>
  value === undefined
    ? undefined
    : `\`${typeof value === 'string' ? value : JSON.stringify(value)}\``

const lengthWords = (schema: Schema): string =>
  bounds(schema['minLength'], schema['maxLength'], ' characters').replace(
    / 1 characters$/,
    ' 1 character',
  )

function bounds(least: unknown, most: unknown, unit: string): string {
  if (least === undefined && most === undefined) return ''
  if (least === most) return `exactly ${String(most)}${unit}`
  if (least === undefined || (least === 0 && unit !== '')) return `at most ${String(most)}${unit}`
  if (most === undefined) return `at least ${String(least)}${unit}`
  return `${String(least)} to ${String(most)}${unit}`
}

const encoding = (schema: Schema): string =>
  [schema['contentEncoding'], schema['contentMediaType']].filter(Boolean).join(', ')

const longestExample = 160

/** A value to see; the fields below and the examples of the body show larger ones. */
function exampleOf(shape: Shape): string | undefined {
  const [example] = shape.schema.examples ?? shape.items?.schema.examples ?? []
  if (example === undefined || example === null || membersOf(shape).length > 0) return undefined
  if (enumOf(shape).length > 0 || example === shape.schema['default']) return undefined
  const text = quoted(example)!
  return text.length > longestExample ? `${text.slice(0, longestExample)}…\`` : text
}

/** The values of an enum, of the field itself or of its items, each with what it means. */
export function enumOf(shape: Shape): [value: string, meaning: string][] {
  const schema = shape.schema.enum ? shape.schema : shape.items?.schema
  const meanings = (schema?.['x-enumDescriptions'] ?? {}) as Record<string, string>
  return (schema?.enum ?? []).map((value) => [String(value), meanings[String(value)] ?? ''])
}
