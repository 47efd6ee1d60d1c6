import type { SandboxClientFeature } from '../../../generated/sandbox/closed.ts'
import type { ClientRow } from '../kernel/context.ts'

/** What a new client may do. Moving accounts of other providers in has to be granted. */
export const defaultFeatures: readonly SandboxClientFeature[] = [
  'asset_report_insights',
  'transactions_refresh',
  'identity_refresh',
  'user:read',
  'user:write',
  'exchange',
  'mcp:dashboard',
]

/** Whether a client may use a feature or scope. */
export const hasFeature = (client: ClientRow, feature: SandboxClientFeature): boolean =>
  (JSON.parse(client.features) as string[]).includes(feature)
