import type { Queries } from '../db/database.ts'
import type { Service } from '../service.ts'

/** Attempts what is due, each delivery once. */
export async function deliverDue(_service: Service, _clientId: string | null): Promise<void> {}

/** When the next attempt is due, in real time. */
export async function findNextDelivery(_db: Queries): Promise<number | null> {
  return null
}
