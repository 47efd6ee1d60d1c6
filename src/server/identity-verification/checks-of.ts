import type { Context } from '../kernel/context.ts'
import type { Checks } from './checks.ts'
import { inventedChecks } from './invented-checks.ts'
import { providerChecks } from './provider-checks.ts'

/** Who does the checks in this environment. */
export const checksOf = ({ settings }: Pick<Context, 'settings'>): Checks =>
  settings.environment === 'sandbox' ? inventedChecks : providerChecks(settings)
