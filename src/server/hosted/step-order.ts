import type { LinkTokenRow } from '../link/link-token-store.ts'

/** All steps in their order. */
const order = ['consent', 'institution', 'login', 'code', 'accounts'] as const

/** A question of the flow. */
export type StepName = (typeof order)[number]

type Asked = Pick<LinkTokenRow, 'item_id' | 'institution_id'>

/** The questions that each user of a link token gets. Some logins also ask for a code. */
export function stepsOf({ item_id, institution_id }: Asked): readonly StepName[] {
  if (item_id !== null) return ['login']
  return order.filter(
    (step) => step !== 'code' && (step !== 'institution' || institution_id === null),
  )
}

/** The question after one of them. */
export function stepAfter(token: Asked, step: StepName): StepName {
  const steps = stepsOf(token)
  return steps[steps.indexOf(step) + 1] ?? step
}

/** The question before a step, if there is one. */
export function stepBefore(token: Asked, step: StepName): StepName | undefined {
  if (step === 'code') return 'login'
  const steps = stepsOf(token)
  return steps[steps.indexOf(step) - 1]
}

/** Whether a user who has come as far as `reached` can answer a step: that one, or an earlier one. */
export function isStepOpen(token: Asked, reached: string, step: string): step is StepName {
  if (step === reached) return true
  const steps: readonly string[] = stepsOf(token)
  // A code belongs to the login before it.
  return steps.includes(step) && indexOf(step) < indexOf(reached)
}

const indexOf = (step: string): number => (order as readonly string[]).indexOf(step)

/** The number of a step for the progress indicator. */
export const numberOf = (token: Asked, step: StepName): number =>
  stepsOf(token).indexOf(step === 'code' ? 'login' : step) + 1
