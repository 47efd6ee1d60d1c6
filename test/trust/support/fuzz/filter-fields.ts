import {
  type Contract,
  eachOperation,
  readBundle,
  requestSchema,
  resolve,
  type Schema,
} from '../../../../scripts/contract/contract.ts'
import { choosesNothing, toOne } from './judge-lists.ts'

/** A field of a request that what is answered may be chosen by. */
interface FilterField {
  keys: readonly string[]
  /** What it is called in an answer. */
  name: string
  isList: boolean
}

const known = new Map<string, FilterField[]>()

/** Those that an operation can be asked with, and need not be. */
export function filterFields(operationId: string): FilterField[] {
  if (known.size === 0) readAll(readBundle())
  return known.get(operationId) ?? []
}

function readAll(contract: Contract): void {
  for (const { operation } of eachOperation(contract)) {
    const schema = requestSchema(operation)
    known.set(operation.operationId, fieldsIn(contract, schema, []))
  }
}

function fieldsIn(contract: Contract, node: Schema, keys: string[]): FilterField[] {
  const schema = resolve(contract, node)
  const forms = [schema, ...(schema.anyOf ?? [])].map((one) => resolve(contract, one))
  const members = forms.flatMap((one) => Object.entries(one.properties ?? {}))
  if (members.length > 0) {
    return members.flatMap(([name, member]) => fieldsIn(contract, member, [...keys, name]))
  }
  const name = keys.at(-1) ?? ''
  if (name === 'start_date') return [{ keys, name: 'date', isList: false }]
  const isList = forms.some(({ type }) => [type].flat().includes('array'))
  const isText = forms.some(({ type }) => [type].flat().includes('string'))
  if (choosesNothing.test(name) || name === 'end_date' || !(isList || isText)) return []
  return [{ keys, name: toOne(name), isList }]
}
