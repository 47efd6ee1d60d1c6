import { type Contract, eachOperation } from '../../scripts/contract/contract.ts'

/** A small edit of a bundle; `at` is a JSON Pointer that may begin with a short name. */
export interface Edit {
  at: string
  /** Puts a value there; `-` at the end of the way appends. `{ copy: at }` stands for what is there. */
  set?: unknown
  remove?: true
  /** Another key for the same value; the references to a component follow. */
  rename?: string
  /** Takes one element out of a list. */
  without?: unknown
}

const shortNames: Record<string, string[]> = {
  schemas: ['components', 'schemas'],
  parameters: ['components', 'parameters'],
  headers: ['components', 'headers'],
  responses: ['components', 'responses'],
  securitySchemes: ['components', 'securitySchemes'],
  errors: ['components', 'examples'],
}

/** The contract with the edits made. */
export function edited(contract: Contract, edits: Edit[]): Contract {
  const copy = structuredClone(contract)
  for (const edit of edits) make(copy, edit)
  return copy
}

function make(contract: Contract, edit: Edit): void {
  const way = wayTo(contract, edit.at)
  const key = way.pop()!
  const parent = walk(contract, way)
  if (edit.remove) drop(parent, key)
  else if (edit.rename) {
    parent[edit.rename] = parent[key]
    delete parent[key]
    follow(contract, `#/${[...way, key].join('/')}`, `#/${[...way, edit.rename].join('/')}`)
  } else if ('without' in edit) {
    const list = parent[key] as unknown[]
    const wanted = JSON.stringify(edit.without)
    const index = list.findIndex((one) => JSON.stringify(one) === wanted)
    if (index < 0) throw new Error(`${edit.at} does not hold ${wanted}`)
    list.splice(index, 1)
  } else {
    const value = valueToSet(contract, edit.set)
    if (Array.isArray(parent) && key === '-') parent.push(value)
    else parent[key] = value
  }
}

/** Makes all references to one place point to another one. */
function follow(node: unknown, from: string, to: string): void {
  if (typeof node !== 'object' || node === null) return
  if ('$ref' in node && node.$ref === from) node.$ref = to
  for (const part of Object.values(node)) follow(part, from, to)
}

type Values = Record<string, unknown>

function drop(parent: Values | unknown[], key: string): void {
  if (!(key in parent)) throw new Error(`there is no ${key} to remove`)
  if (Array.isArray(parent)) parent.splice(Number(key), 1)
  else delete parent[key]
}

const isCopy = (value: unknown): value is { copy: string } =>
  typeof value === 'object' && value !== null && 'copy' in value

const valueToSet = (contract: Contract, value: unknown): unknown =>
  isCopy(value) ? structuredClone(walk(contract, wayTo(contract, value.copy))) : value

function wayTo(contract: Contract, at: string): string[] {
  const [first = '', ...rest] = at.split('/').map((key) => {
    return key.replaceAll('~1', '/').replaceAll('~0', '~')
  })
  if (first !== 'operations') return [...(shortNames[first] ?? [first]), ...rest]
  const { path } = eachOperation(contract).find(
    ({ operation }) => operation.operationId === rest[0],
  )!
  return ['paths', path, 'post', ...rest.slice(1)]
}

function walk(contract: Contract, way: string[]): Values {
  let node: unknown = contract
  for (const key of way) {
    const below = (node as Values)[key]
    if (typeof below !== 'object' || below === null) throw new Error(`there is no ${way.join('/')}`)
    node = below
  }
  return node as Values
}
