import { describe, expect, expectTypeOf, test } from 'vitest'
import type { webhooks } from '#contract/operations.ts'
import type {
  AssetsErrorWebhook,
  IdentityDefaultUpdateWebhook,
  SyncUpdatesAvailableWebhook,
  TransactionsDefaultUpdateWebhook,
} from '#contract/types.ts'
import type { webhooks as platformWebhooks } from '../../generated/platform/operations.ts'
import type {
  ItemErrorWebhook,
  WebhookUpdateAcknowledgedWebhook,
} from '../../generated/platform/types.ts'
import { createClient } from '../../src/index.ts'
import { signBody } from '../../src/server/webhooks/sign.ts'
import {
  type KeySource,
  type KnownWebhookEvent,
  verifyWebhook,
  type WebhookByCode,
  type WebhookEvent,
  type WebhookEventOf,
  type WebhookName,
} from '../../src/webhooks/index.ts'
import { iat, key, privateKey } from '../support/webhook-vectors.ts'

/** What a receiver writes: it compiles, and this is what it does with each event. */
function handle(event: WebhookEvent): string {
  if (event.webhook_type === 'TRANSACTIONS') {
    switch (event.webhook_code) {
      case 'SYNC_UPDATES_AVAILABLE':
        expectTypeOf(event).toEqualTypeOf<SyncUpdatesAvailableWebhook>()
        return `sync ${event.item_id}`
      case 'TRANSACTIONS_REMOVED':
        return `removed ${event.removed_transactions.length}`
      case 'DEFAULT_UPDATE':
        expectTypeOf(event).toEqualTypeOf<TransactionsDefaultUpdateWebhook>()
        return `new ${event.new_transactions}`
      default:
        expectTypeOf(event.webhook_code).toExtend<string>()
        return `ignored ${event.webhook_code.toLowerCase()}`
    }
  }
  if (event.webhook_type === 'IDENTITY' && event.webhook_code === 'DEFAULT_UPDATE') {
    expectTypeOf(event).toEqualTypeOf<IdentityDefaultUpdateWebhook>()
    return `identity ${event.item_id}`
  }
  if (event.webhook_type === 'ASSETS' && event.webhook_code === 'ERROR') {
    expectTypeOf(event).toEqualTypeOf<AssetsErrorWebhook>()
    return event.error.error_code
  }
  // @ts-expect-error a code that is misspelt
  if (event.webhook_code === 'NEW_ACCOUNTS_AVAILIBLE') return 'never'
  // @ts-expect-error a type that is misspelt
  if (event.webhook_type === 'TRANSACTION') return 'never'
  const type: string = event.webhook_type
  const code: string = event.webhook_code
  return `ignored ${type} ${code}`
}

const received = async (event: object): Promise<string> => {
  const body = JSON.stringify(event)
  const jwt = signBody(body, { kid: key.kid, privateKey }, iat)
  const options = { keys: [key], now: () => iat * 1000 }
  return handle(await verifyWebhook(body, { 'service-verification': jwt }, options))
}

describe('an event', () => {
  test('is recognized by its type and its code', async () => {
    const item_id = 'item'
    expect(
      await received({
        webhook_type: 'TRANSACTIONS',
        webhook_code: 'SYNC_UPDATES_AVAILABLE',
        item_id,
      }),
    ).toBe('sync item')
    expect(
      await received({ webhook_type: 'IDENTITY', webhook_code: 'DEFAULT_UPDATE', item_id }),
    ).toBe('identity item')
  })

  test.each([
    ['TRANSACTIONS', 'RECURRING', 'ignored recurring'],
    ['LIABILITIES', 'DEFAULT_UPDATE', 'ignored LIABILITIES DEFAULT_UPDATE'],
    ['LIABILITIES', 'ERROR', 'ignored LIABILITIES ERROR'],
    ['', '', 'ignored  '],
  ])('of a newer service is still read: %s %s', async (webhook_type, webhook_code, handled) => {
    expect(await received({ webhook_type, webhook_code })).toBe(handled)
  })

  test('with fields that are not described keeps them', async () => {
    const body = { webhook_type: 'ASSETS', webhook_code: 'ERROR', error: { error_code: 'A' }, b: 1 }
    expect(await received(body)).toBe('A')
  })
})

describe('the types', () => {
  test('have every webhook of the contract and the platform API, by its name', () => {
    type Every = keyof typeof webhooks | keyof typeof platformWebhooks
    expectTypeOf<WebhookName>().toEqualTypeOf<Every>()
    expectTypeOf<WebhookEventOf<WebhookName>>().toEqualTypeOf<KnownWebhookEvent>()
    expectTypeOf<
      WebhookEventOf<'TRANSACTIONS.SYNC_UPDATES_AVAILABLE'>
    >().toEqualTypeOf<SyncUpdatesAvailableWebhook>()
    expectTypeOf<
      WebhookEventOf<'ITEM.WEBHOOK_UPDATE_ACKNOWLEDGED'>
    >().toEqualTypeOf<WebhookUpdateAcknowledgedWebhook>()
  })

  test('lead from a code, and a type where it has several, to the body', () => {
    expectTypeOf<WebhookByCode<'ERROR'>>().toEqualTypeOf<AssetsErrorWebhook | ItemErrorWebhook>()
    expectTypeOf<WebhookByCode<'ERROR', 'ASSETS'>>().toEqualTypeOf<AssetsErrorWebhook>()
    type Both = IdentityDefaultUpdateWebhook | TransactionsDefaultUpdateWebhook
    expectTypeOf<WebhookByCode<'DEFAULT_UPDATE'>>().toEqualTypeOf<Both>()
    type One = WebhookByCode<'DEFAULT_UPDATE', 'IDENTITY'>
    expectTypeOf<One>().toEqualTypeOf<IdentityDefaultUpdateWebhook>()
    // @ts-expect-error there is no such code
    expectTypeOf<WebhookByCode<'ERRORS'>>().toBeNever()
  })

  test('let an unknown event have neither a known name nor known fields', () => {
    const take = (event: WebhookEvent) => {
      // A known code under an unknown type is another event.
      if (event.webhook_code === 'SYNC_UPDATES_AVAILABLE') {
        expectTypeOf(event).not.toEqualTypeOf<SyncUpdatesAvailableWebhook>()
        expectTypeOf(event.item_id).toEqualTypeOf<unknown>()
      }
    }
    expect(take).toBeTypeOf('function')
  })

  test('take every client of this package', () => {
    const client = createClient({ baseUrl: 'http://127.0.0.1:4000' })
    expectTypeOf(client).toExtend<KeySource>()
    const older = createClient({ baseUrl: 'http://127.0.0.1:4000', version: '2018-05-22' })
    expectTypeOf(older).toExtend<KeySource>()
    expect(client).toBeDefined()
  })

  test('take client or keys, and not both', () => {
    const client = createClient({ baseUrl: 'http://127.0.0.1:4000' })
    type Options = Parameters<typeof verifyWebhook>[2]
    expectTypeOf<{ client: typeof client }>().toExtend<Options>()
    expectTypeOf<{ keys: [typeof key] }>().toExtend<Options>()
    expectTypeOf<{ client: typeof client; keys: [] }>().not.toExtend<Options>()
    expect(client).toBeDefined()
  })
})
