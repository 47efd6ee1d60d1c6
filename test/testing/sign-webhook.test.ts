import { describe, expect, test } from 'vitest'
import { createWebhookKey, signWebhook } from '../../src/testing/index.ts'
import { type KnownWebhookEvent, verifyWebhook } from '../../src/webhooks/index.ts'

const event: KnownWebhookEvent = {
  webhook_type: 'TRANSACTIONS',
  webhook_code: 'SYNC_UPDATES_AVAILABLE',
  item_id: '5eEvj67hPLEmwFi8wtQ9KbQ4FkzAuGsTP6kLX',
  initial_update_complete: true,
  historical_update_complete: true,
  environment: 'sandbox',
}

describe('a webhook that a test signs', () => {
  test('is verified with its keys', async () => {
    const { body, headers, keys } = signWebhook(event)
    expect(await verifyWebhook(body, headers, { keys })).toEqual(event)
  })

  test('has the same key as all others, unless it is given one', async () => {
    const key = createWebhookKey('mine')
    expect(signWebhook(event).keys).toEqual(signWebhook(event).keys)
    expect(signWebhook(event, { key }).keys).toEqual([key.publicKey])
    const { body, headers } = signWebhook(event, { key })
    await expect(
      verifyWebhook(body, headers, { keys: signWebhook(event).keys }),
    ).rejects.toMatchObject({ reason: 'unknown_key' })
  })

  test('is as old as configured', async () => {
    const at = new Date(Date.now() - 299_000)
    const { body, headers, keys } = signWebhook(event, { at })
    await verifyWebhook(body, headers, { keys })
    const late = () => Date.now() + 2000
    await expect(verifyWebhook(body, headers, { keys, now: late })).rejects.toMatchObject({
      reason: 'stale',
    })
  })

  test('is not signed at a time that is none', () => {
    expect(() => signWebhook(event, { at: new Date('soon') })).toThrow('`at` must be a date')
  })

  test.each([
    ['bad_signature', 'bad_signature'],
    ['unknown_key', 'unknown_key'],
    ['stale', 'stale'],
    ['future', 'future'],
    ['altered_body', 'altered_body'],
    ['alg_none', 'wrong_algorithm'],
    ['missing_header', 'missing_header'],
    ['malformed_token', 'malformed_token'],
    ['expired_key', 'expired_key'],
    ['malformed_body', 'malformed_body'],
  ] as const)('is rejected with the tamper %s', async (tamper, reason) => {
    const { body, headers, keys } = signWebhook(event, { tamper })
    await expect(verifyWebhook(body, headers, { keys })).rejects.toMatchObject({ reason })
  })
})
