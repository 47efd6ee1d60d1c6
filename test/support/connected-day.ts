import { setTimeout as sleep } from 'node:timers/promises'
import { hastenPull } from '../../src/server/queue/pull-store.ts'
import { createPulls } from '../../src/server/worker/pulls/pulls.ts'
import { connect, listServer } from './connected.ts'
import type { Tenant, TestService } from './service.ts'
import { account } from './simplefin-ground.ts'
import { startSimplefin } from './simplefin-server.ts'
import { inContext } from './transactions-fixtures.ts'

/** Reads Items from a source in all ways in which a read can end. One Item stays. */
export async function readSources(service: TestService, tenant: Tenant): Promise<void> {
  let ahead = 0
  const clock = () => Date.now() + ahead
  const settings = { ...service.service.settings, callTargets: 'loopback' as const }
  const own = { ...service, service: { ...service.service, settings, clock } }
  const server = await startSimplefin(clock)
  server.accounts = [account()]
  await listServer(own, server)
  const link = (more: object = {}) =>
    connect(own, tenant, server, { token: server.newToken(), ...more })
  const { item_id } = await link()
  const gone = await link()
  const pulls = createPulls(own.service)
  const key = { client_id: tenant.clientId, item_id }
  const again = async (wait: number) => {
    ahead += wait
    await inContext(own, tenant, (ctx) => hastenPull(ctx, item_id, clock()))
    return pulls.pull(key)
  }
  server.revoke()
  await again(10_000)
  await link({ itemId: item_id })
  await again(10_000)
  const onWait = () => {
    ahead += 10_000
  }
  await link({ itemId: item_id, resumes: true, onWait })
  await again(10_000)
  // Too soon.
  await again(1000)
  server.mishaps = ['slow']
  ahead += 10_000
  const asked = server.calls.length
  await inContext(own, tenant, (ctx) => hastenPull(ctx, item_id, clock()))
  pulls.wake()
  while (server.calls.length === asked) await sleep(5)
  await pulls.stop()
  await tenant.api.itemRemove({ access_token: gone.access_token }).orThrow()
  await server.close()
}
