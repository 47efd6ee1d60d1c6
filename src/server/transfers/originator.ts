import { findClient } from '../clients/store.ts'
import type { Context } from '../kernel/context.ts'
import { ApiError } from '../kernel/errors.ts'
import { hasTransferFor } from './store.ts'

/** Throws unless the id is that of another client. */
export async function requireOriginator(ctx: Context, originatorId: string): Promise<void> {
  const isOther = originatorId !== ctx.client.client_id
  if (!isOther || !(await findClient(ctx.db, originatorId))) {
    throw new ApiError('TRANSFER_ORIGINATOR_NOT_FOUND')
  }
}

/**
 * Throws if the caller may not read the originator's transfers. Access starts with the first
 * transfer that is created for the originator.
 */
export async function checkOriginator(ctx: Context, originatorId: string): Promise<void> {
  if (await hasTransferFor(ctx, originatorId)) return
  await requireOriginator(ctx, originatorId)
  throw new ApiError('UNAUTHORIZED_ACCESS')
}
