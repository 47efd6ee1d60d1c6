import type { PageToken } from '../link/link-token-store.ts'

/** All steps in their order: the logins of the sandbox, then those of connectors. */
const order = [
  'consent',
  'institution',
  'login',
  'code',
  'accounts',
  'connect',
  'details',
  'share',
  'adding',
] as const

/** A question of the flow. */
export type StepName = (typeof order)[number]

type Asked = Pick<PageToken, 'item_id' | 'institution_id' | 'environment'>

/** The questions that each user gets, by environment. Some logins and accounts lead to one more. */
const usual: Readonly<Record<Asked['environment'], readonly StepName[]>> = {
  sandbox: ['consent', 'institution', 'login', 'accounts'],
  production: ['consent', 'institution', 'connect', 'share'],
}
const usualAgain: typeof usual = { sandbox: ['login'], production: ['connect', 'share'] }

/** The step before one that only some users get. */
const extra: Readonly<Partial<Record<StepName, StepName>>> = {
  code: 'login',
  details: 'connect',
  adding: 'share',
}

/** The questions that each user of a link token gets. */
export function stepsOf({ item_id, institution_id, environment }: Asked): readonly StepName[] {
  if (item_id !== null) return usualAgain[environment]
  return usual[environment].filter((step) => step !== 'institution' || institution_id === null)
}

/** The question after one of them. */
export function stepAfter(token: Asked, step: StepName): StepName {
  const steps = stepsOf(token)
  return steps[steps.indexOf(step) + 1] ?? step
}

/** The question before a step, if there is one. */
export function stepBefore(
  token: Asked,
  step: StepName,
  asksDetails: boolean,
): StepName | undefined {
  if (step === 'share' && asksDetails) return 'details'
  if (step === 'adding') return undefined
  if (extra[step]) return extra[step]
  const steps = stepsOf(token)
  return steps[steps.indexOf(step) - 1]
}

/** Whether a user who has come as far as `reached` can answer a step: that one, or an earlier one. */
export function isStepOpen(
  token: Asked,
  { reached, asksDetails }: { reached: string; asksDetails: boolean },
  step: string,
): step is StepName {
  if (step === reached) return true
  if (step === 'details') return reached === 'share' && asksDetails
  const steps: readonly string[] = stepsOf(token)
  // A code belongs to the login before it.
  return steps.includes(step) && indexOf(step) < indexOf(reached)
}

const indexOf = (step: string): number => (order as readonly string[]).indexOf(step)

/** The number of a step for the progress indicator. */
export const numberOf = (token: Asked, step: StepName): number =>
  stepsOf(token).indexOf(extra[step] ?? step) + 1
