import { createPrivateKey, generateKeyPairSync, type KeyObject } from 'node:crypto'
import type { WebhookVerificationKey } from '#contract/closed.ts'
import type { Context } from '../kernel/context.ts'
import { expireKeys, findCurrentKey, insertKey, type WebhookKeyRow } from './key-store.ts'
import type { SigningKey } from './sign.ts'

const curve = { kty: 'EC', crv: 'P-256' } as const

export const toWebhookVerificationKey = (row: WebhookKeyRow): WebhookVerificationKey => ({
  alg: 'ES256',
  crv: curve.crv,
  kid: row.key_id,
  kty: curve.kty,
  use: 'sig',
  x: row.x,
  y: row.y,
  created_at: row.created_at,
  expired_at: row.expired_at,
})

/** The client's key that signs now. Undefined before it is first needed. */
export async function findSigningKey(ctx: Context): Promise<SigningKey | undefined> {
  const row = await findCurrentKey(ctx)
  return row && toSigningKey(ctx, row)
}

/** The client's key that signs now, made when it is first needed. */
export const currentKey = async (ctx: Context): Promise<SigningKey> =>
  (await findSigningKey(ctx)) ?? toSigningKey(ctx, await createKey(ctx))

const toSigningKey = (ctx: Context, row: WebhookKeyRow): SigningKey => ({
  kid: row.key_id,
  privateKey: readPrivateKey(ctx, row),
})

/** To read a key takes longer than to sign with it, and a client signs with one for months. */
const known = new Map<string, KeyObject>()
const mostKnown = 1000

function readPrivateKey(ctx: Context, { x, y, private_key }: WebhookKeyRow): KeyObject {
  const found = known.get(private_key)
  if (found) return found
  const jwk = { ...curve, x, y, d: ctx.keys.decrypt(private_key) }
  const key = createPrivateKey({ key: jwk, format: 'jwk' })
  const [oldest] = known.keys()
  if (known.size >= mostKnown && oldest !== undefined) known.delete(oldest)
  known.set(private_key, key)
  return key
}

/**
 * For how long the old key verifies what another process signs with it, until that one sees the new
 * key. In seconds.
 */
const overlap = 5

/** Signs with a new key from now on; those before it can still be fetched. */
export async function rotateKey(ctx: Context): Promise<string> {
  await expireKeys(ctx, toSeconds(ctx) + overlap)
  return (await createKey(ctx)).key_id
}

async function createKey(ctx: Context): Promise<WebhookKeyRow> {
  const { privateKey } = generateKeyPairSync('ec', { namedCurve: curve.crv })
  const { x = '', y = '', d = '' } = privateKey.export({ format: 'jwk' })
  await insertKey(ctx, {
    key_id: ctx.newId('uuid'),
    x,
    y,
    private_key: ctx.keys.encrypt(d),
    created_at: toSeconds(ctx),
    expired_at: null,
  })
  const current = await findCurrentKey(ctx)
  if (!current) throw new Error('a key was just made')
  return current
}

const toSeconds = (ctx: Context): number => Date.parse(ctx.now) / 1000
