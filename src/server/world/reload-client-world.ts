import type { World } from '../../../generated/sandbox/types.ts'
import type { Context } from '../context.ts'
import { loadClientWorld } from './load-world.ts'
import { findSetting } from './settings-store.ts'

/** Writes a client's part of the stored world again; one that it does not name stays empty. */
export async function reloadClientWorld(ctx: Context): Promise<void> {
  const stored = await findSetting(ctx.db, 'world')
  const seed = await findSetting(ctx.db, 'seed')
  const anchor = await findSetting(ctx.db, 'anchor')
  if (stored === undefined || seed === undefined || anchor === undefined) return
  const { clients = [] }: World = JSON.parse(ctx.keys.decrypt(stored))
  const client = clients.find(({ client_id }) => client_id === ctx.client.client_id)
  if (client) await loadClientWorld(ctx, client, { seed, anchor })
}
