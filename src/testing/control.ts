import { headerNames } from '#contract/client-table.ts'
import type { SandboxEndpoints } from '../../generated/sandbox/endpoints.ts'
import { paths } from '../../generated/sandbox/operations.ts'
import { currentVersion } from '../../generated/versions.ts'
import type { CallOptions, OperationId } from '../client/call.ts'
import { type Settings, startCall } from '../client/send.ts'

/**
 * Calls the sandbox endpoints as one client: a method for each, named by its operationId.
 * A call is used as those of the client are: it resolves with `{ data }` or `{ error }`, and
 * `.orThrow()` gives the data or throws.
 */
export type Control = Readonly<SandboxEndpoints>

/** Where the service is, and as whom it is called. */
export interface ControlOptions {
  baseUrl: string
  clientId: string
  secret: string
}

/** An advance of the clock waits for a try of each webhook, and receivers may take ten seconds. */
const timeout = 120_000

/**
 * Makes a control client for a service that runs elsewhere; `startService` has one already.
 *
 * @example
 * ```ts
 * import { createControl } from 'financial-data-service/testing'
 *
 * const control = createControl({
 *   baseUrl: 'http://127.0.0.1:4000',
 *   clientId: 'sandbox-client',
 *   secret: 'sandbox-secret',
 * })
 * await control.sandboxClockAdvance({ seconds: 86_400 }).orThrow()
 * ```
 */
export function createControl({ baseUrl, clientId, secret }: ControlOptions): Control {
  const settings: Settings = {
    baseUrl: baseUrl.endsWith('/') ? baseUrl : `${baseUrl}/`,
    credentials: { [headerNames.clientId]: clientId, [headerNames.secret]: secret },
    version: currentVersion,
    timeout,
    retries: 0,
    hooks: {},
    validate: {},
    fetch: (url, init) => fetch(url, init),
  }
  const methods = Object.entries(paths).map(([operationId, path]) => {
    // The client's calls know operations and sandbox endpoints apart by their paths only.
    const operation = { operationId: operationId as OperationId, path: path.slice(1) }
    const call = (body: object, options?: CallOptions) =>
      startCall(settings, { ...operation, safe: false, form: false }, body, options)
    return [operationId, call]
  })
  // Which body belongs to which endpoint is what `SandboxEndpoints` says; here all of them are alike.
  return Object.fromEntries(methods) as unknown as Control
}
