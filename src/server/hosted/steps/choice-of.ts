import type { Choice, InventedLogins } from '../invented-logins.ts'
import type { Visit } from '../visit.ts'

/** What the answers so far say of the Item. */
export function choiceOf({ answers }: Pick<Visit, 'answers'>): Choice {
  const { institution, seed, at } = answers
  if (!institution || seed === undefined || at === undefined) {
    throw new Error('a step was opened before those that it relies on')
  }
  return { institutionId: institution.institution_id, seed, at }
}

/** The invented logins, whose steps only the sandbox has. */
export function inventedOf({ ways }: Pick<Visit, 'ways'>): InventedLogins {
  if (!ways.invented) throw new Error('a step of the sandbox was opened in production')
  return ways.invented
}
