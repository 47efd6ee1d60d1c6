import type { LinkInstitution, LinkSessionEvent } from '../../../generated/platform/closed.ts'

/** The name of an event, and what is known about it. */
export type SessionEvent = readonly [name: string, metadata: LinkSessionEvent['event_metadata']]

/** Events that happened at one time. */
export const eventsOf = (timestamp: string, events: readonly SessionEvent[]): LinkSessionEvent[] =>
  events.map(([event_name, event_metadata]) => ({ event_name, timestamp, event_metadata }))

/** What an event says of the institution that the user chose. */
export const toChosen = (
  institution: LinkInstitution | null,
): LinkSessionEvent['event_metadata'] =>
  institution === null
    ? {}
    : { institution_id: institution.institution_id, institution_name: institution.name }
