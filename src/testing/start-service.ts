import type { CurrentVersion } from '../../generated/client.ts'
import type { SandboxClientCreateRequest, World } from '../../generated/sandbox/types.ts'
import { type Version, versions } from '../../generated/versions.ts'
import { wellKnownClients } from '../server/clients/well-known-clients.ts'
import { createOpened, type Opened } from './opened.ts'
import type { Run } from './run-service.ts'
import { createTenant, type Tenant } from './tenant.ts'
import type { Snapshot } from './world-snapshot.ts'

/** How a service for tests runs. */
export interface ServiceOptions<V extends Version = CurrentVersion> {
  /** A world of your own, laid over the default one: a file, in YAML or JSON, or its content. */
  fixture?: string | URL | World
  /** Another world of the same kind. */
  seed?: string
  /** The day that the dates of the seed data count from, as `2026-03-16`; today unless set. */
  fixtureDate?: string
  /** The dated version that the clients ask for; the newest unless set. */
  version?: V
  /** Whose limits count calls; `off` unless set. */
  rateLimits?: 'off' | 'sandbox' | 'production'
  /** How long an asset report takes, in milliseconds; 0 unless set. */
  reportDelayMs?: number
  /** Is told of what goes wrong inside the service: each 500 has its reason here. */
  onError?: (error: unknown, message: string) => void
}

/** Which features a new tenant has, beside or less than the usual ones. */
export type TenantFeatures = Pick<
  SandboxClientCreateRequest,
  'client_name' | 'enabled' | 'disabled'
>

/** A running service, and its client `sandbox-client` with the world of the fixture. */
export interface TestService<V extends Version = CurrentVersion> extends Tenant<V> {
  /** Makes a client with an empty world of its own: what belongs to it does not exist for others. */
  tenant(features?: TenantFeatures): Promise<Tenant<V>>
  /**
   * Keeps the whole world, of all clients, as it is now. What is due is done first, and each webhook
   * that waits is tried once.
   *
   * @throws Error before Node 24.16.
   */
  snapshot(): Promise<Snapshot>
  /**
   * Puts the world of a snapshot back, clocks, faults and keys included, within milliseconds. What
   * came after it is gone, tenants too; webhooks that are on their way are cut off.
   *
   * @throws Error for a snapshot of another service.
   */
  restore(snapshot: Snapshot): Promise<void>
  /** Answers what was asked, closes the inboxes, and leaves nothing running. */
  close(): Promise<void>
  [Symbol.asyncDispose](): Promise<void>
}

const needed = 24

/**
 * Starts the service in this process, on a free port of this machine, with its data in memory. Any
 * number may run at once.
 *
 * @throws Error before Node 24, and with one line for each mistake in a fixture.
 * @example
 * ```ts
 * import { startService } from 'financial-data-service/testing'
 *
 * await using service = await startService()
 * const { access_token } = await service.linkItem()
 * const { accounts } = await service.client.accountsGet({ access_token }).orThrow()
 * console.log(accounts.length)
 * ```
 */
export async function startService<const V extends Version = CurrentVersion>(
  options: ServiceOptions<V> = {},
): Promise<TestService<V>> {
  const { node } = process.versions
  if (Number.parseInt(node, 10) < needed) {
    throw new Error(`startService needs Node ${needed} or newer, and this is ${node}`)
  }
  checkVersion(options)
  // Not before it is known that this Node can run it.
  const { runService } = await import('./run-service.ts')
  return toService(await runService(options), options.version)
}

/** What a program without types can get wrong, and would otherwise be told by each call. */
function checkVersion({ version }: { version?: Version }): void {
  if (version === undefined || Object.hasOwn(versions, version)) return
  throw new TypeError(`\`version\` must be one of: ${Object.keys(versions).join(', ')}`)
}

function toService<V extends Version>(run: Run, version: V | undefined): TestService<V> {
  const { url } = run
  const opened = createOpened()
  const of = (clientId: string, secret: string) =>
    createTenant<V>({ baseUrl: url, clientId, secret, version }, opened)
  const { clientId, secret } = wellKnownClients[0]
  const own = of(clientId, secret)
  let closed: Promise<void> | undefined
  const close = () => {
    closed ??= closeAll(opened, run)
    return closed
  }
  return {
    ...own,
    async tenant(features = {}) {
      opened.check()
      const made = await own.control.sandboxClientCreate(features).orThrow()
      return of(made.client_id, made.secret)
    },
    async snapshot() {
      opened.check()
      return run.snapshot()
    },
    async restore(snapshot) {
      opened.check()
      await run.restore(snapshot)
    },
    close,
    [Symbol.asyncDispose]: close,
  }
}

async function closeAll(opened: Opened, run: Run): Promise<void> {
  // First, since the service would wait for what hangs there.
  await opened.close()
  await run.close()
}
