import {
  type Contract,
  eachOperation,
  requestSchema,
  responseSchema,
} from '../../scripts/contract/contract.ts'
import { eachField, type Shape, shapeOf } from '../../scripts/docs/fields.ts'

// Two views of what a version has differently, each made without the other and without what the
// service derives: from the contracts, and from a body before and after. Both speak of the same
// places: `accounts.owners`, with nothing for the elements of a list.

export type Side = 'request' | 'response'

/** The places where the bodies of an operation are not described alike, without what is below. */
export function describedDifferences(
  older: Contract,
  newer: Contract,
  operationId: string,
  side: Side,
): string[] {
  const [theirs, ours] = [older, newer].map((contract) => signatures(contract, operationId, side))
  const places = new Set([...theirs!.keys(), ...ours!.keys()])
  return outermost([...places].filter((place) => theirs!.get(place) !== ours!.get(place)))
}

function signatures(contract: Contract, operationId: string, side: Side): Map<string, string> {
  const found = eachOperation(contract).find(({ operation }) => {
    return operation.operationId === operationId
  })!
  const schema =
    side === 'request' ? requestSchema(found.operation) : responseSchema(contract, found.operation)
  const fields = eachField(shapeOf(contract, schema, side))
  return new Map(
    fields.map(({ path, required, shape }) => [
      path.slice(side.length + 1),
      JSON.stringify([required, ...signatureOf(shape)]),
    ]),
  )
}

function signatureOf({ schema, nullable }: Shape): unknown[] {
  const { type, enum: values, format, pattern } = schema
  return [type, nullable, values?.toSorted(), format, pattern, schema['const']]
}

/** The places where two bodies are not the same, without what is below. */
export function seenDifferences(before: unknown, after: unknown): string[] {
  const found = new Set<string>()
  compare(before, after, '', found)
  return outermost([...found])
}

const isList = (value: unknown): value is unknown[] => Array.isArray(value)
const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null

function compare(before: unknown, after: unknown, place: string, found: Set<string>): void {
  if (isList(before) && isList(after)) {
    if (before.length !== after.length) found.add(place)
    before.forEach((element, index) => {
      compare(element, after[index], place, found)
    })
  } else if (isObject(before) && isObject(after)) {
    for (const name of new Set([...Object.keys(before), ...Object.keys(after)])) {
      compare(before[name], after[name], place === '' ? name : `${place}.${name}`, found)
    }
  } else if (before !== after) found.add(place)
}

const outermost = (places: string[]): string[] =>
  places.filter((place) => !places.some((other) => place.startsWith(`${other}.`))).sort()
