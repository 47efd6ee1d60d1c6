import { isRule } from '../../src/contract/published.ts'
import { type Contract, componentName, resolve, type Schema } from './contract.ts'

/**
 * The places below a schema whose values are texts of an enum, as templates such as
 * `accounts[].type`, in the order of the contract. `.*` stands for any name of a map.
 */
export function enumPlaces(contract: Contract, schema: Schema): string[] {
  const found = [...placesBelow(contract, schema)].filter(({ target }) =>
    target.enum?.every((value) => typeof value === 'string'),
  )
  return [...new Set(found.map(({ place }) => place))]
}

/** Where components stand below a schema, such as `[accounts[].type, AccountType]`. */
export function componentPlaces(contract: Contract, schema: Schema): [string, string][] {
  const found = [...placesBelow(contract, schema)].flatMap(({ place, name }) =>
    name ? [[`${place} ${name}`, [place, name]] as [string, [string, string]]] : [],
  )
  return [...new Map(found).values()]
}

interface Below {
  place: string
  /** The component's name, where the place refers to one. */
  name: string | undefined
  target: Schema
}

/** A schema and all below it. One that holds itself has no new kinds of places further down. */
function* placesBelow(
  contract: Contract,
  schema: Schema,
  place = '',
  within: readonly string[] = [],
): Generator<Below> {
  const name = componentName(schema)
  if (name && within.includes(name)) return
  const target = resolve(contract, schema)
  yield { place, name, target }
  const inside = name ? [...within, name] : within
  for (const [suffix, part] of partsOf(target)) {
    yield* placesBelow(contract, part, (place + suffix).replace(/^\./, ''), inside)
  }
}

/** The schemas that stand in a schema, each with what it adds to the place. */
function partsOf(schema: Schema): [suffix: string, part: Schema][] {
  const { properties = {}, items, additionalProperties: map } = schema
  const joined = [...(schema.allOf ?? []), ...(schema.anyOf ?? []), ...(schema.oneOf ?? [])]
  const fields = Object.entries(properties).map(([name, part]): [string, Schema] => [
    `.${name}`,
    part,
  ])
  return [
    ...fields,
    ...(items ? [['[]', items] satisfies [string, Schema]] : []),
    ...(typeof map === 'object' ? [['.*', map] satisfies [string, Schema]] : []),
    ...joined.filter((part) => !isRule(part)).map((part): [string, Schema] => ['', part]),
  ]
}
