import type { ValidateFunction } from 'ajv'
import {
  type Contract,
  eachOperation,
  eachWebhook,
  reach,
  type Schema,
} from '../../../../scripts/contract/contract.ts'
import { collectHints } from '../../../../scripts/validators/hints.ts'
import type { FormCompiler } from '../../../../src/contract/form-compiler.ts'
import type { Form } from '../../../../src/contract/schema-forms.ts'
import {
  type CompiledSchema,
  type Validator,
  validator,
} from '../../../../src/validators/validate.ts'
import { leadsTo, type Mutant, mutate, usersOf } from './mutants.ts'
import { compilerOf } from './no-schema.ts'

/** A version's bundle with the change, and what of it has to be looked at again. */
export interface Broken {
  version: string
  contract: Contract
  /** The component that is changed, where it is one. */
  changed: string | undefined
  /** The operations and webhooks that the change can be noticed at. */
  ids: string[]
  webhooks: string[]
  compiler(form: Form): FormCompiler
  /** Compiles a schema once. */
  compiled(form: Form, schema: Schema): ValidateFunction
  /** The validator of a request as it would be generated. */
  requestOf(schema: Schema): Validator<unknown>
}

const nothing = { ids: new Set<string>(), webhooks: new Set<string>() }

/** What a change of this place can be noticed at. */
function touched({ path }: Mutant, contract: Contract, version: string): typeof nothing {
  const [first, second, third] = path.map(String)
  if (first === 'paths' && second !== undefined) {
    const { operation } = eachOperation(contract).find((entry) => entry.path === second)!
    return { ...nothing, ids: new Set([operation.operationId]) }
  }
  if (first === 'components' && second === 'schemas') return usersOf(third!, version)
  return {
    ids: new Set(eachOperation(contract).map(({ operation }) => operation.operationId)),
    webhooks: new Set(eachWebhook(contract).map(({ name }) => name)),
  }
}

const refsIn = (node: unknown, kind: string): string[] =>
  [...JSON.stringify(node).matchAll(new RegExp(`#/components/${kind}/([^"/]+)`, 'g'))].map(
    ([, name]) => name!,
  )

/** The contract with no more schemas than these operations and webhooks need: compiled sooner. */
function reduced(contract: Contract, ids: string[], webhooks: string[]): Contract {
  const own = [
    ...eachOperation(contract).filter(({ operation }) => ids.includes(operation.operationId)),
    ...eachWebhook(contract).filter(({ name }) => webhooks.includes(name)),
  ]
  const responses = refsIn(own, 'responses').map((name) => contract.components.responses[name])
  const { headers } = contract.components
  const names = reach(contract, [...new Set(refsIn([own, responses, headers], 'schemas'))])
  const { schemas } = contract.components
  const kept = Object.fromEntries([...names].map((name) => [name, schemas[name]!]))
  return { ...contract, components: { ...contract.components, schemas: kept } }
}

// A change of what everything uses is noticed at the first few, or nowhere.
const enough = 8

export function broken(mutant: Mutant | undefined, version: string, whole: Contract): Broken {
  const contract = mutant ? mutate(mutant, version) : whole
  const { ids, webhooks } = mutant ? touched(mutant, contract, version) : touchedAll(contract)
  const changed = mutant?.path[1] === 'schemas' ? String(mutant.path[2]) : undefined
  return { ...view(contract, version, [...ids], [...webhooks]), changed }
}

const touchedAll = (contract: Contract) => ({
  ids: eachOperation(contract).map(({ operation }) => operation.operationId),
  webhooks: eachWebhook(contract).map(({ name }) => name),
})

function view(contract: Contract, version: string, ids: string[], webhooks: string[]): Broken {
  const compilers = new Map<Form, FormCompiler>()
  let small: Contract | undefined
  const compiler = (form: Form): FormCompiler => {
    small ??= reduced(contract, ids, webhooks)
    const known = compilers.get(form) ?? compilerOf(small, form)
    compilers.set(form, known)
    return known
  }
  const known = new Map<string, ValidateFunction>()
  const compiled = (form: Form, schema: Schema): ValidateFunction => {
    const key = form + JSON.stringify(schema)
    const check = known.get(key) ?? compiler(form).compile(schema)
    known.set(key, check)
    return check
  }
  return {
    version,
    contract,
    changed: undefined,
    ids,
    webhooks,
    compiler,
    compiled,
    requestOf(schema) {
      const check = compiled('request', schema)
      const name = schema.$ref!.split('/').pop()!
      return validator(check as CompiledSchema, collectHints(contract, name))
    },
  }
}

/** Whether a body of this schema can show the change. */
export const concerns = ({ changed, version }: Broken, schema: Schema): boolean =>
  changed === undefined || leadsTo(schema, changed, version)

/** The same, looked at in groups, so that what is noticed early need not compile the rest. */
export function inGroups(whole: Broken): Broken[] {
  const { contract, version, changed, ids, webhooks } = whole
  const groups: Broken[] = []
  for (let start = 0; start < ids.length; start += enough) {
    groups.push({ ...view(contract, version, ids.slice(start, start + enough), []), changed })
  }
  if (webhooks.length > 0) groups.push({ ...view(contract, version, [], webhooks), changed })
  return groups
}
