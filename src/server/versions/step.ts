import { withLists } from '../kernel/list-text.ts'
import { type Change, type Differences, invertChange } from './difference.ts'
import { applyPlan, type Plan, toPlan } from './plan.ts'

/** A function of a version's file; each knows the bodies of its operation. */
type Convert = (body: never) => object

/** What a version's file says: the derived differences, and the others as functions. */
export interface VersionFile {
  readonly differences: Differences
  /** By operation, from a request of this version to what the edits bring to the newer. */
  readonly requests: Readonly<Record<string, Convert>>
  /** By operation, from an answer that the edits have changed to one of this version. */
  readonly responses: Readonly<Record<string, Convert>>
}

/** A version's file that has a function for every operation that takes one, and for no other. */
export interface VersionFileOf<Own extends Differences> {
  readonly differences: Own
  readonly requests: { readonly [Id in keyof Own['byHand']['requests']]: Convert }
  readonly responses: { readonly [Id in keyof Own['byHand']['responses']]: Convert }
}

/** The way between a version and the next newer one. */
export interface Step {
  /** The newer of the two. */
  newer: string
  upgradeRequest(operationId: string, body: object): object
  downgradeAnswer(operationId: string, answer: object): object
}

/** Makes the step that a version's file describes. */
export function createStep({ differences, requests, responses }: VersionFile): Step {
  const { changes } = differences
  const inverted = Object.fromEntries(
    Object.entries(changes).map(([component, change]) => [component, invertChange(change)]),
  )
  const upgrade = planner(differences.requests, inverted)
  const downgrade = planner(differences.responses, changes)
  return {
    newer: differences.newer,
    upgradeRequest(operationId, body) {
      return upgrade(operationId, convert(requests, operationId, body))
    },
    downgradeAnswer(operationId, answer) {
      const edited = downgrade(operationId, answer)
      if (!Object.hasOwn(responses, operationId)) return edited
      return convert(responses, operationId, withLists(edited))
    },
  }
}

/** Compiles the plan of an operation when it is first needed. */
function planner(places: Differences['requests'], changes: Record<string, Change>) {
  const plans = new Map<string, Plan>()
  return (operationId: string, body: object): object => {
    const own = places[operationId]
    if (!own) return body
    const plan = plans.get(operationId) ?? toPlan(own, changes)
    plans.set(operationId, plan)
    return applyPlan(plan, body) as object
  }
}

function convert(table: VersionFile['requests'], operationId: string, body: object): object {
  if (!Object.hasOwn(table, operationId)) return body
  // The contracts of both versions have judged the body, so it is what its function takes.
  return (table[operationId] as (body: object) => object)(body)
}
