import type { ClientRow } from '../context.ts'

/** Whether a client may use a feature or scope. */
export const hasFeature = (client: ClientRow, feature: string): boolean =>
  (JSON.parse(client.features) as string[]).includes(feature)
