import type { StepStatus } from '#contract/closed.ts'
import type { StepState } from './step.ts'

const ended: readonly StepStatus[] = ['success', 'failed', 'manually_approved', 'manually_rejected']
const notRun: readonly StepStatus[] = ['waiting_for_prerequisite', 'not_applicable', 'skipped']

/** Whether the check passed or failed; what a reviewer decided without it has no result. */
export const hasResult = ({ status, found }: StepState): boolean =>
  ended.includes(status) && (found === 'success' || found === 'failed')

export const hasRun = ({ status, found }: StepState): boolean =>
  !notRun.includes(status) && found !== null
