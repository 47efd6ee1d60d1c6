import { type Contract, componentName, resolve, type Schema } from './contract.ts'
import { partsOf } from './enum-places.ts'

/** Where components stand below a schema, such as `[accounts[].type, AccountType]`. */
export function componentPlaces(contract: Contract, schema: Schema): [string, string][] {
  const found = new Map<string, [string, string]>()
  const visit = (node: Schema, place: string, within: readonly string[]): void => {
    const name = componentName(node)
    // A schema that holds itself would go on forever.
    if (name && within.includes(name)) return
    if (name) found.set(`${place} ${name}`, [place, name])
    const inside = name ? [...within, name] : within
    for (const [suffix, part] of partsOf(resolve(contract, node))) {
      visit(part, (place + suffix).replace(/^\./, ''), inside)
    }
  }
  visit(schema, '', [])
  return [...found.values()]
}
