import type { SandboxClientFeature } from '../../../../generated/sandbox/closed.ts'
import { defaultFeatures } from '../../clients/client.ts'
import { insertClient } from '../../clients/store.ts'
import type { HandlerOf } from '../../kernel/operation.ts'

export const sandboxClientCreate: HandlerOf<'sandboxClientCreate'> = async (ctx, { body }) => {
  const { client_name, default_version = null, enabled = [], disabled = [] } = body
  const client_id = `client-${ctx.newId('client')}`
  const secret = `secret-${ctx.newId('secret')}`
  const public_key = ctx.newId('public_key')
  const granted = new Set<SandboxClientFeature>([...defaultFeatures, ...enabled])
  for (const feature of disabled) granted.delete(feature)
  await insertClient(ctx.db, {
    client_id,
    client_name: client_name ?? `Client ${client_id.slice(-6)}`,
    secret_hash: ctx.keys.hash(secret),
    public_key,
    default_version,
    features: [...granted],
    created_at: ctx.now,
  })
  return { client_id, secret, public_key }
}
