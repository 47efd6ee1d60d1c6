import type { UpstreamSettings } from '../../../../generated/institution-list/types.ts'
import type { Protocol } from '../protocol.ts'
import { asSource, createApi, type Secret } from './api.ts'
import { authorize } from './authorize.ts'
import { isNews } from './news.ts'
import { read } from './read.ts'

/** Reads Items of another service that has this very interface. */
export const upstream: Protocol = {
  id: 'upstream',
  version: '1.0.0',
  keyVersion: 1,
  // Webhooks make reads due, so there can be many a day. A first read has many pages.
  limits: { minIntervalSeconds: 5, callsPerDay: 500, maxWindowDays: 740, requestsPerCall: 1000 },
  exactIds: true,
  hosts: (settings) => [new URL((settings as UpstreamSettings).url).host],
  authorize: (ctx, previous) => authorize(ctx, previous),
  read,
  async revoke(ctx) {
    const { access_token } = ctx.secret as Secret
    await asSource(async () => createApi(ctx).itemRemove({ access_token }).orThrow())
  },
  isNews,
}
