import { isRule } from '../../src/contract/published.ts'
import { type Contract, componentName, resolve, type Schema } from '../contract/contract.ts'
import { rulesOf } from './rules.ts'

/** What a value may be, with every reference followed. */
export interface Shape {
  /** The schema as one object: references followed, `allOf` joined, null taken out. */
  schema: Schema
  nullable: boolean
  /** The named members of an object, or of the objects that an array or a map holds. */
  fields: Field[]
  /** The members of an array, or the values of a map. */
  items?: Shape
  /** The forms to choose from, where a value has several. */
  alternatives: Shape[]
  /** What holds between the fields, in words. */
  rules: string[]
  /** The field that shows this shape already, where a schema holds itself. */
  shownAt?: string
}

/** One field of a body. */
export interface Field {
  name: string
  /** Where it stands: `request.options.count`; members of arrays add nothing. */
  path: string
  required: boolean
  shape: Shape
}

/** The name that stands for every key of a map. */
const anyKey = '*'

/** Reads a body's schema as the tree of its fields; `name` begins the path of each. */
export function shapeOf(contract: Contract, schema: Schema, name: string): Shape {
  return readShape({ contract, path: name, open: new Map() }, schema)
}

/** Every field below, the nearest first; a field of two alternatives comes once. */
export function eachField(shape: Shape): Field[] {
  const below = membersOf(shape).flatMap((field) => [field, ...eachField(field.shape)])
  return [...new Map(below.map((field) => [field.path, field])).values()]
}

/** The fields right below, through arrays, maps and alternatives. */
export function membersOf(shape: Shape): Field[] {
  const inItems = shape.items ? membersOf(shape.items) : []
  return [...shape.fields, ...inItems, ...shape.alternatives.flatMap(membersOf)]
}

interface Place {
  contract: Contract
  path: string
  /** The schemas that enclose this one, with the field that shows each. */
  open: Map<string, string>
}

function readShape(place: Place, written: Schema): Shape {
  const { contract, path } = place
  const nonNull = withoutNull(written)
  const name = componentName(nonNull.schema)
  const schema = merge(contract, nonNull.schema)
  const types = [schema.type ?? []].flat()
  const nullable = nonNull.nullable || types.includes('null')
  const shape: Shape = { schema, nullable, fields: [], alternatives: [], rules: [] }
  const shownAt = name && place.open.get(name)
  if (shownAt) return { ...shape, shownAt }
  const inside = { ...place, open: name ? new Map(place.open).set(name, path) : place.open }
  const alternatives = (schema.anyOf ?? schema.oneOf ?? []).filter((part) => !isRule(part))
  shape.alternatives = alternatives
    .filter((part) => part.type !== 'null')
    .map((part) => readShape(inside, part))
  if (alternatives.some((part) => part.type === 'null')) shape.nullable = true
  shape.fields = fieldsOf(inside, schema)
  if (schema.items) shape.items = readShape(inside, schema.items)
  const values = mapValues(schema)
  if (values) {
    const below = `${path}.${anyKey}`
    shape.items = readShape({ ...inside, path: below }, values)
    shape.fields = [{ name: anyKey, path: below, required: false, shape: shape.items }]
  }
  shape.rules = rulesOf(contract, nonNull.schema)
  return shape
}

/** The schema of a map's values; `true` allows any value. */
function mapValues({ additionalProperties, properties }: Schema): Schema | undefined {
  const isMap = typeof additionalProperties === 'object' && !properties
  return isMap ? additionalProperties : undefined
}

function fieldsOf(place: Place, schema: Schema): Field[] {
  return Object.entries(schema.properties ?? {}).map(([name, property]) => {
    const path = `${place.path}.${name}`
    return {
      name,
      path,
      required: schema.required?.includes(name) ?? false,
      shape: readShape({ ...place, path }, property),
    }
  })
}

/** `anyOf: [X, null]` is X, and nullable; what stands beside it describes the field. */
function withoutNull(schema: Schema): { schema: Schema; nullable: boolean } {
  const { anyOf, ...own } = schema
  const others = anyOf?.filter((part) => part.type !== 'null') ?? []
  if (!anyOf || others.length === anyOf.length || others.length !== 1) {
    return { schema, nullable: false }
  }
  return { schema: { ...others[0], ...own }, nullable: true }
}

/** One object of what a schema, its reference and its `allOf` say; the nearest word counts. */
export function merge(contract: Contract, schema: Schema): Schema {
  const { $ref, allOf = [], ...own } = schema
  const target = $ref ? [merge(contract, resolve(contract, { $ref } as Schema))] : []
  const parts = allOf.filter((part) => !isRule(part)).map((part) => merge(contract, part))
  return [...target, ...parts, own].reduce((left, right) => overlay(contract, left, right), {})
}

function overlay(contract: Contract, left: Schema, right: Schema): Schema {
  const properties = { ...left.properties }
  for (const [name, property] of Object.entries(right.properties ?? {})) {
    const before = properties[name]
    properties[name] = before ? overlay(contract, merge(contract, before), property) : property
  }
  const joined: Schema = { ...left, ...right }
  if (Object.keys(properties).length > 0) joined.properties = properties
  if (left.required && right.required) {
    joined.required = [...new Set([...left.required, ...right.required])]
  }
  return joined
}
