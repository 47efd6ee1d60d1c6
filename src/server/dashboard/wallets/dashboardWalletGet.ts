import { ApiError } from '../../kernel/errors.ts'
import { findWallet } from '../../wallets/store.ts'
import { toWallet } from '../../wallets/wallet.ts'
import type { PageHandler } from '../page-handler.ts'
import { recordLook } from '../record-look.ts'
import { toDashboardWallet } from './wallet.ts'

export const dashboardWalletGet: PageHandler<'dashboardWalletGet'> = async (ctx, { body }) => {
  const row = await findWallet(ctx, body.wallet_id)
  if (!row) throw new ApiError('OBJECT_NOT_FOUND')
  if (ctx.seesPersonalData) await recordLook(ctx, 'wallet.view', body.wallet_id)
  const { bacs, international } = ctx.seesPersonalData
    ? toWallet(row, ctx.keys).numbers
    : { bacs: null, international: null }
  return {
    wallet: toDashboardWallet(row),
    recipient_id: row.recipient_id,
    numbers: {
      account: bacs?.account ?? null,
      sort_code: bacs?.sort_code ?? null,
      iban: international?.iban ?? null,
      bic: international?.bic ?? null,
    },
  }
}
dashboardWalletGet.reads = true
