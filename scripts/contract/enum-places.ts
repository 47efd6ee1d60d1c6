import { type Contract, componentName, resolve, type Schema } from './contract.ts'
import { isRule } from './schema-forms.ts'

/** How many fields deep an enum is looked for. */
const maxDepth = 12

/**
 * The places below a schema whose values are texts of an enum, as templates such as
 * `accounts[].type`, in the order of the contract. `.*` stands for any name of a map.
 */
export function enumPlaces(contract: Contract, schema: Schema): string[] {
  const places = new Set<string>()
  const visit = (node: Schema, place: string, depth: number, within: string[]): void => {
    const name = componentName(node)
    // A schema that holds itself has no new kinds of places further down.
    if (depth > maxDepth || (name && within.includes(name))) return
    const target = resolve(contract, node)
    const inside = name ? [...within, name] : within
    if (target.enum?.every((value) => typeof value === 'string')) places.add(place)
    for (const [suffix, part] of partsOf(target)) {
      const next = (place + suffix).replace(/^\./, '')
      visit(part, next, suffix.startsWith('.') ? depth + 1 : depth, inside)
    }
  }
  visit(schema, '', 0, [])
  return [...places]
}

/** The schemas that stand in a schema, each with what it adds to the place. */
export function partsOf(schema: Schema): [suffix: string, part: Schema][] {
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
