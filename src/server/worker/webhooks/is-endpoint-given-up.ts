import type { Context } from '../../kernel/context.ts'
import { findEndpointRecord } from '../../queue/webhook-attempt-store.ts'
import { isGivenUp, retryWindow } from './retry.ts'

/** Whether an endpoint has rejected so many attempts before `now`, in the client's ms, that none is retried. */
export const isEndpointGivenUp = async (ctx: Context, url: string, now: number): Promise<boolean> =>
  isGivenUp(await findEndpointRecord(ctx, url, now - retryWindow))
