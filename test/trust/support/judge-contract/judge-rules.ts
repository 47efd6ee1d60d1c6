import {
  type Contract,
  eachOperation,
  reach,
  requestSchema,
} from '../../../../scripts/contract/contract.ts'
import { type Body, bodiesOf, bodyRules, nullBodies } from '../../../support/body-rules.ts'
import { limits, wrongLimits } from '../../../support/request-limits.ts'
import { type Broken, inGroups } from './broken.ts'
import { compilerOf } from './no-schema.ts'

const reachable = new Map<string, Set<string>>()

/** The components that a component leads to; a break of one of them can show in it. */
function reachOf(contract: Contract, name: string): Set<string> {
  const known = reachable.get(name) ?? reach(contract, [name])
  reachable.set(name, known)
  return known
}

function namesOfRequests(contract: Contract): Set<string> {
  const names = eachOperation(contract).flatMap(({ operation }) => {
    return requestSchema(operation).$ref?.split('/').pop() ?? []
  })
  return reach(contract, names)
}

const part = (contract: Contract, names: Iterable<string>): Contract => {
  const { schemas } = contract.components
  const kept = Object.fromEntries([...names].map((name) => [name, schemas[name]!]))
  return { ...contract, components: { ...contract.components, schemas: kept } }
}

/** What the rules between fields and the limits of requests, stated once more by hand, say against it. */
export function* byRules(whole: Broken, plain: Contract): Generator<string> {
  const { contract, changed } = whole
  if (changed === undefined) return
  for (const group of inGroups(whole)) {
    const own = [...group.ids, ...group.webhooks]
    yield* nullBodies(contract, group.compiled, (name) => own.includes(name))
  }
  const ofRequests = namesOfRequests(plain)
  for (const rule of bodyRules) {
    const names = reachOf(plain, rule.schema)
    if (!names.has(changed)) continue
    const form = ofRequests.has(rule.schema) ? 'request' : 'exact'
    const compiler = compilerOf(part(contract, reach(contract, [rule.schema])), form)
    const fits = compiler.compile({ $ref: `#/components/schemas/${rule.schema}` })
    const example = (plain.components.schemas[rule.schema]!.examples?.[0] ?? {}) as Body
    for (const body of bodiesOf(rule, example)) {
      if (fits(body) !== rule.holds(body)) yield `${rule.schema}: a rule between fields`
    }
  }
  if (changed in limits) yield* wrongLimits(contract, changed)
}
