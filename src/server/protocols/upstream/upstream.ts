import type { UpstreamSettings } from '../../../../generated/institution-list/types.ts'
import type { Protocol } from '../protocol.ts'
import type { Secret } from './api.ts'

/**
 * Reads Items of another service that has this very interface. Few services do: what it takes, our own
 * client among it, is loaded at its first use.
 */
export const upstream: Protocol = {
  id: 'upstream',
  version: '1.0.0',
  keyVersion: 1,
  // Webhooks make reads due, so there can be many a day. A first read has many pages.
  limits: { minIntervalSeconds: 5, callsPerDay: 500, maxWindowDays: 740, requestsPerCall: 1000 },
  exactIds: true,
  hosts: (settings) => [new URL((settings as UpstreamSettings).url).host],
  allowsPrivate: (settings) => (settings as UpstreamSettings).private === true,
  authorize: async (ctx, previous) => (await import('./authorize.ts')).authorize(ctx, previous),
  async *read(...given) {
    const { read } = await import('./read.ts')
    yield* read(...given)
  },
  async revoke(ctx) {
    const { asSource, createApi } = await import('./api.ts')
    const { access_token } = ctx.secret as Secret
    await asSource(async () => createApi(ctx).itemRemove({ access_token }).orThrow())
  },
  isNews: async (...given) => (await import('./news.ts')).isNews(...given),
}
