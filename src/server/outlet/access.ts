import { auditOwn } from '../audit/audit.ts'
import type { Context } from '../kernel/context.ts'
import { isSameHash, type Keys } from '../kernel/keys.ts'
import { type AccessRow, insertSimplefinAccess } from './store.ts'

/** The path under which programs find the server. */
export const simplefinPath = '/simplefin'

/** How long a setup token can be claimed. */
const tokenMs = 86_400_000

/** The hash by which a setup token is found. */
export const hashOfToken = ({ hash }: Keys, code: string): string =>
  hash(`simplefin token\n${code}`)

export const hashOfSecret = ({ hash }: Keys, accessId: string, secret: string): string =>
  hash(`simplefin secret\n${accessId}\n${secret}`)

/** Whether credentials are those of an access that has not ended. */
export const isSecretOf = (keys: Keys, access: AccessRow, secret: string): boolean =>
  access.revoked_at === null &&
  access.secret_hash !== null &&
  isSameHash(access.secret_hash, hashOfSecret(keys, access.access_id, secret))

/** What a new access shows, and to whom. */
interface NewAccess {
  name: string
  /** All Items of the client, if null. */
  item_id: string | null
  actor: string
}

/** Makes an access. Returns its setup token, which is shown once. */
export async function createAccess(
  ctx: Context,
  { name, item_id, actor }: NewAccess,
): Promise<{ access: AccessRow; setup_token: string }> {
  const code = ctx.newId('page_key')
  const access: AccessRow = {
    client_id: ctx.client.client_id,
    access_id: ctx.newId('opaque'),
    name,
    item_id,
    token_hash: hashOfToken(ctx.keys, code),
    token_expires_at: ctx.realMs() + tokenMs,
    secret_hash: null,
    calls: '[]',
    created_at: ctx.now,
    claimed_at: null,
    used_at: null,
    revoked_at: null,
  }
  await insertSimplefinAccess(ctx.db, access)
  await auditOwn(ctx, {
    actor,
    action: 'simplefin.create',
    subject: access.access_id,
    details: { name, item_id },
  })
  const address = `${ctx.publicUrl}${simplefinPath}/claim/${code}`
  return { access, setup_token: Buffer.from(address).toString('base64') }
}
