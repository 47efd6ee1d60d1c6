import type { Ways } from '../hosted/visit.ts'
import type { Settings } from '../kernel/context.ts'
import type { Connectors } from '../sources/connector.ts'

/** How users of the link page authorize: by invented logins in the sandbox, by connectors in production. */
export async function waysToLink({
  settings,
  connectors,
}: {
  settings: Settings
  connectors?: Connectors
}): Promise<Ways> {
  if (settings.environment === 'sandbox') {
    const { sandboxLogins } = await import('../sandbox/link/sandbox-logins.ts')
    return { invented: sandboxLogins, connectors: {} }
  }
  const { listConnectors } = await import('../sources/connectors.ts')
  return { invented: undefined, connectors: connectors ?? listConnectors(settings) }
}
