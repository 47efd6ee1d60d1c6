import type { Contract, Schema } from '../contract/document.ts'
import {
  exampleOf,
  fill,
  type Path,
  type Place,
  places,
  replace,
  settle,
  typeOf,
} from './places.ts'

/** What was done to a valid instance. Whether that is wrong, only a schema can tell. */
export type Kind =
  | 'drop'
  | 'add'
  | 'unknown field'
  | 'type'
  | 'null'
  | 'enum'
  | 'other'
  | 'text'
  | 'length'
  | 'number'
  | 'count'

/** A copy of an instance with one change. */
export interface Mutation {
  kind: Kind
  path: Path
  /** What the value at the path is held against. */
  schema: Schema
  value: unknown
}

type Change = [kind: Kind, replacement: unknown]

export interface Mutator {
  /**
   * All mutations of instances; of each list, the first two elements are kept and changed. Where
   * nothing beside a value matters, each change is made once, whatever element it is in.
   */
  mutate(schema: Schema, ...instances: unknown[]): Mutation[]
  /** Fills what an instance leaves out or null, as far as it stays valid. */
  fill(schema: Schema, instance: unknown, isValid: (value: unknown) => boolean): unknown
}

/** Values of a schema, which are tried in place of others. */
export type Draw = (schema: Schema) => unknown[]

/** Makes mutations by the rules below, and with the values that `draw` gives for a schema. */
export function mutator(contract: Contract, draw: Draw = () => []): Mutator {
  const changesAt = ({ schema, value }: Place): { meant: Schema; changes: Change[] } => {
    const meant = settle(contract, schema, value)
    const others = draw(schema).map((other): Change => ['other', other])
    const fields = changesOfFields(contract, meant, value)
    return { meant, changes: [...changesOf(contract, meant, value), ...others, ...fields] }
  }
  return {
    mutate(schema, ...instances) {
      const made = new Set<string>()
      return instances.map(shortened).flatMap((instance) =>
        places(contract, schema, instance).flatMap((place) => {
          const { meant, changes } = changesAt(place)
          return changes.filter(isNew(made, place)).map(([kind, other]) => {
            return {
              kind,
              path: place.path,
              schema: meant,
              value: replace(instance, place.path, other),
            }
          })
        }),
      )
    },
    fill: (schema, instance, isValid) => fill(contract, schema, instance, { draw, isValid }),
  }
}

/** Whether a change has not been made yet, at a place where it would be judged alike. */
const isNew =
  (made: Set<string>, { path, ruled }: Place) =>
  (change: Change): boolean => {
    if (ruled) return true
    const anyElement = path.map((key) => (typeof key === 'number' ? 0 : key))
    const size = made.size
    return made.add(JSON.stringify([anyElement, change])).size > size
  }

/** Without the elements that no mutation changes: each copy is judged as a whole. */
function shortened(value: unknown): unknown {
  if (Array.isArray(value)) return value.slice(0, 2).map(shortened)
  if (typeOf(value) !== 'object') return value
  const entries = Object.entries(value as object).map(([key, part]) => [key, shortened(part)])
  return Object.fromEntries(entries)
}

const isString = (value: unknown): value is string => typeof value === 'string'

const ofEachType = ['text', 7, 0.5, true, [], {}]

/** Other values for a place. */
function changesOf(contract: Contract, schema: Schema, value: unknown): Change[] {
  const wrong = ofEachType.filter((other) => typeOf(other) !== typeOf(value))
  const isText = [schema.type].flat().includes('string') && (value === null || isString(value))
  return [
    ['null', null],
    ...wrong.map((other): Change => ['type', other]),
    ...(isText ? changesOfText(schema, isString(value) ? value : '') : []),
    ...(typeof value === 'number' ? changesOfNumber(schema, value) : []),
    ...(Array.isArray(value) ? changesOfList(contract, schema, value) : []),
  ]
}

// Among these are texts that keep to a pattern in general and break a rule about it.
const texts = [
  ...['', ' ', '!', 'é', '0', '9999', '12345', 'AB1 2CD', 'EU', 'x'.repeat(65), 'a,b', 'usr_1'],
  ...['2026-02-30', '2026-03-16T25:00:00Z', 'name@', 'a@b.example', 'http:', '+14155550142'],
]

function changesOfText(schema: Schema, value: string): Change[] {
  if (schema.enum) {
    const others = schema.enum.filter((other) => other !== value).slice(0, 40)
    return [['enum', 'NO_SUCH_VALUE'], ...others.map((other): Change => ['other', other])]
  }
  const { minLength, maxLength, pattern, format } = schema
  const restless = Boolean(pattern || format || schema.not)
  const odd = restless ? [...texts, `${value}\n`, ` ${value}`, `${value}${value}`] : ['']
  const long = typeof maxLength === 'number' ? [value.padEnd(maxLength + 1, 'x')] : []
  const short =
    typeof minLength === 'number' && minLength > 0 ? [value.slice(0, minLength - 1)] : []
  const lengths = [...long, ...short].map((text): Change => ['length', text])
  return [...lengths, ...odd.map((text): Change => ['text', text])]
}

function changesOfNumber(schema: Schema, value: number): Change[] {
  const below = typeof schema['minimum'] === 'number' ? [schema['minimum'] - 1] : []
  const above = typeof schema['maximum'] === 'number' ? [schema['maximum'] + 1] : []
  return [...below, ...above, value + 0.5, -1, 0, 2 ** 31].map((number) => ['number', number])
}

function changesOfList(contract: Contract, schema: Schema, value: unknown[]): Change[] {
  const item = value[0] ?? exampleOf(contract, schema.items ?? {})
  const tooMany = typeof schema['maxItems'] === 'number' ? [schema['maxItems'] + 1] : []
  const long = [2, ...tooMany].map((length) => new Array<unknown>(length).fill(item))
  return [[], ...long].map((list) => ['count', list])
}

/** Changes of which fields an object has. */
function changesOfFields(contract: Contract, schema: Schema, value: unknown): Change[] {
  if (typeOf(value) !== 'object') return []
  const object = value as Record<string, unknown>
  const dropped = Object.keys(object).map((name): Change => {
    return ['drop', Object.fromEntries(Object.entries(object).filter(([key]) => key !== name))]
  })
  const absent = Object.entries(schema.properties ?? {}).filter(([name]) => !(name in object))
  const added = absent.map(([name, part]): Change => {
    return ['add', { ...object, [name]: exampleOf(contract, part) }]
  })
  const names = [
    'x_unknown',
    '__proto__',
    'a/b~c',
    ...(schema['propertyNames'] ? ['é', 'k'.repeat(41)] : []),
  ]
  const unknown = names.map((key): Change => {
    return ['unknown field', withField(object, { key, value: 'new' })]
  })
  return [...dropped, ...added, ...unknown, ...overfull(schema, object)]
}

function overfull(schema: Schema, object: Record<string, unknown>): Change[] {
  const { maxProperties } = schema
  if (typeof maxProperties !== 'number') return []
  const keys = Array.from({ length: maxProperties + 1 }, (_, index) => [`k${index}`, 'v'])
  return [['count', { ...object, ...Object.fromEntries(keys) }]]
}

/** Adds an own property of any name, as JSON.parse would. */
export function withField(object: object, { key, value }: { key: string; value: unknown }): object {
  const descriptor = { value, enumerable: true, writable: true, configurable: true }
  return Object.defineProperty({ ...object }, key, descriptor)
}
