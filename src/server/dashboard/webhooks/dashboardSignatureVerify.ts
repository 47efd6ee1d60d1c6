import { createHash } from 'node:crypto'
import { readTimestamp, toTimestamp } from '../../kernel/time.ts'
import { toWebhookVerificationKey } from '../../webhooks/key.ts'
import { findKey } from '../../webhooks/key-store.ts'
import type { PageHandler } from '../page-handler.ts'
import { decodeToken, findHeader, inspectSignature } from './inspect-signature.ts'

export const dashboardSignatureVerify: PageHandler<'dashboardSignatureVerify'> = async (
  ctx,
  { body },
) => {
  const header = findHeader(body.header)
  const { received_at } = body
  let row: Awaited<ReturnType<typeof findKey>>
  const { checks, claims } = await inspectSignature({
    header,
    body: body.body,
    receivedAt: received_at === undefined ? undefined : readTimestamp(received_at),
    async findKey(kid) {
      row = await findKey(ctx, kid)
      return row && toWebhookVerificationKey(row)
    },
  })
  const token = decodeToken(header)
  return {
    verified: checks.every(({ result }) => result !== 'failed'),
    checks,
    token_header: token.head,
    token_claims: token.claims,
    signed_at: claims && isTime(claims.iat) ? toTimestamp(claims.iat * 1000) : null,
    key: row ? toWebhookVerificationKey(row) : null,
    body_sha256: createHash('sha256').update(body.body).digest('hex'),
  }
}
dashboardSignatureVerify.reads = true

/** The last second of the year 9999: a token may hold any number. */
const latest = 253_402_300_799
const isTime = (seconds: number): boolean => seconds >= 0 && seconds <= latest
