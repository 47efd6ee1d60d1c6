import type { Schemas } from '../../data/api.ts'

/** What was injected into a call, by its effect. */
export const injectedWords: Record<Schemas['DashboardErrorEffect'], string> = {
  error: 'This answer was injected: the service did not run the call.',
  delay: 'This answer was delayed: the delay was injected.',
  drop: 'This call got no answer: its connection was closed, which was injected.',
  unknown_enum: 'An unknown value and an unknown field were injected into this answer.',
}
