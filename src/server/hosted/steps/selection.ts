import type { LinkInstitution } from '../../../../generated/platform/closed.ts'
import { type SessionEvent, toChosen } from '../../link/session-events.ts'

/** The event of a chosen institution. */
export const selectionOf = (institution: LinkInstitution): SessionEvent => [
  'SELECT_INSTITUTION',
  toChosen(institution),
]
