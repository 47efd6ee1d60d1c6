import type { WorldWallet } from '../../../generated/sandbox/types.ts'
import { insertWallet } from '../wallets/store.ts'
import { toWalletNumbers } from '../wallets/wallet-numbers.ts'
import { complete, contextOf, type WorldContext } from './world-context.ts'
import { needs } from './world-needs.ts'

export async function loadWallet(world: WorldContext, wallet: WorldWallet): Promise<void> {
  const { wallet_id, iso_currency_code } = complete(wallet, needs.wallet)
  const { bacs, international, current = 0, available = current } = wallet
  const generated = toWalletNumbers(iso_currency_code, `${world.seed}/${wallet_id}`)
  const isPounds = iso_currency_code === 'GBP'
  await insertWallet(contextOf(world, `wallet/${wallet_id}`), {
    wallet_id,
    ...(wallet.recipient_id === undefined ? {} : { recipient_id: wallet.recipient_id }),
    balance: { iso_currency_code, current, available },
    numbers: {
      bacs: isPounds ? (bacs ?? generated.bacs) : null,
      international: isPounds ? null : (international ?? generated.international),
    },
    status: wallet.status ?? 'ACTIVE',
  })
}
