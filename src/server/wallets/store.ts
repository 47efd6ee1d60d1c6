import type { Wallet, WalletCurrency, WalletStatus } from '#contract/closed.ts'
import { insertRow } from '../db/insert-rows.ts'
import type { Context } from '../kernel/context.ts'
import { invalidField } from '../kernel/errors.ts'
import { toMinor } from '../kernel/money.ts'
import type { WalletRow } from './wallet.ts'

const columns = `wallet_id, sequence, recipient_id, iso_currency_code, current, available, status,
  account, sort_code, iban, bic`

/** A wallet in the words of the wire, in any state. */
interface WalletInput extends Omit<Wallet, 'wallet_id' | 'recipient_id'> {
  wallet_id?: string
  recipient_id?: string
}

const byId = `select ${columns} from wallets where client_id = $1 and wallet_id = $2`

export const findWallet = (ctx: Context, walletId: string) =>
  ctx.own.first<WalletRow>(byId, [walletId])

export const unknownWallet = () =>
  invalidField('`wallet_id` must be the id of one of your wallets, which `/wallet/list` lists')

export async function requireWallet(ctx: Context, walletId: string): Promise<WalletRow> {
  const row = await findWallet(ctx, walletId)
  if (!row) throw unknownWallet()
  return row
}

/** Writes a wallet as the newest of its client. */
export async function insertWallet(ctx: Context, input: WalletInput): Promise<WalletRow> {
  const { bacs, international } = input.numbers
  const row: WalletRow = {
    wallet_id: input.wallet_id ?? ctx.newId('wallet'),
    sequence: ctx.nextSequence(),
    recipient_id: input.recipient_id ?? ctx.newId('recipient'),
    iso_currency_code: input.balance.iso_currency_code,
    current: toMinor(input.balance.current),
    available: toMinor(input.balance.available),
    status: input.status,
    account: bacs && ctx.keys.encrypt(bacs.account),
    sort_code: bacs && ctx.keys.encrypt(bacs.sort_code),
    iban: international && ctx.keys.encrypt(international.iban),
    bic: international?.bic ?? null,
  }
  await insertRow(ctx, 'wallets', { ...row })
  return row
}

interface WalletFilter {
  currency: WalletCurrency | undefined
  /** Only wallets created before that place in the list. */
  before: number | undefined
  count: number
}

/** The client's wallets, the newest first. */
export function listWallets(ctx: Context, { currency, before, count }: WalletFilter) {
  const last = before ?? Number.MAX_SAFE_INTEGER
  return ctx.own.all<WalletRow>(
    `select ${columns} from wallets where client_id = $1 and sequence < $2
        ${currency === undefined ? '' : 'and iso_currency_code = $4'}
      order by sequence desc limit $3`,
    [last, count, ...(currency === undefined ? [] : [currency])],
  )
}

interface WalletChange {
  status: WalletStatus | null
  current: number | null
  available: number | null
}

/** Sets what is not null, and returns the wallet as it then stands. */
export const updateWallet = (ctx: Context, walletId: string, change: WalletChange) =>
  ctx.own.first<WalletRow>(
    `update wallets set status = coalesce($3, status), current = coalesce($4, current),
        available = coalesce($5, available)
      where client_id = $1 and wallet_id = $2 returning ${columns}`,
    [walletId, change.status, change.current, change.available],
  )

/** Moves money into an active wallet, or out of it as far as it is available. */
export const moveMoney = (ctx: Context, walletId: string, amount: number) =>
  ctx.own.first<WalletRow>(
    `update wallets set current = current + $3, available = available + $3
      where client_id = $1 and wallet_id = $2 and status = 'ACTIVE' and available + $3 >= 0
      returning ${columns}`,
    [walletId, amount],
  )
