import { must, quiet } from './laws-tools.ts'
import type { Luck } from './references.ts'
import type { Session } from './session.ts'
import type { Body } from './subjects.ts'

interface Wallet {
  wallet_id: string
  balance: { current: number; available: number }
}

/** Amounts that a sum of binary fractions gets wrong. */
const cents = [10, 20, 29, 57, 111, 115, 30, 70, 4035, 1]

/** A wallet holds exactly what was put in, and rejects what would take it below zero. */
export async function moneyAdds(session: Session, who: number, luck: Luck): Promise<void> {
  await quiet(session, who)
  const made = (await session.ask('walletCreate', who, { iso_currency_code: 'GBP' })).json as Wallet
  const { wallet_id } = made
  let sum = 0
  for (let moves = 2 + luck(5); moves > 0; moves -= 1) {
    const amount = (cents[luck(cents.length)] as number) * (luck(3) === 2 ? -1 : 1)
    const answer = await session.ask('sandboxWalletTransactionCreate', who, {
      wallet_id,
      amount: amount / 100,
    })
    const isDone = answer.status === 200
    must(
      session,
      isDone === sum + amount >= 0,
      `money: ${answer.status} for ${amount} cents of ${sum}`,
    )
    if (isDone) sum += amount
    const { balance } = (await session.ask('walletGet', who, { wallet_id })).json as Wallet
    const isExact = balance.current === sum / 100 && balance.available === sum / 100
    must(session, isExact, `money: a wallet of ${sum} cents shows ${balance.current}`)
  }
}

/** Refunds come to no more than the transfer, and all of them stand in it. */
export async function refundsAreBounded(session: Session, who: number, luck: Luck): Promise<void> {
  await quiet(session, who)
  const account = session.memory.all('account').find((one) => one.owner === who && !one.ended)
  if (!account) return
  const created = await session.ask('sandboxTransferCreate', who, {
    account_id: account.value,
    type: 'debit',
    network: 'ach',
    ach_class: 'web',
    amount: '1.00',
    description: 'Loan payment',
    user: { legal_name: 'Maren Talvik' },
  })
  if (created.status !== 200) return
  const { id } = (created.json as { transfer: { id: string } }).transfer
  let refunded = 0
  for (let tries = 4; tries > 0; tries -= 1) {
    const amount = 10 + luck(60)
    const answer = await session.ask('sandboxTransferRefundCreate', who, {
      transfer_id: id,
      amount: `0.${amount}`,
    })
    const fits = refunded + amount <= 100
    must(
      session,
      (answer.status === 200) === fits,
      `money: ${answer.status} for a refund of ${amount} after ${refunded}`,
    )
    if (fits) refunded += amount
  }
  const shown = (await session.ask('transferGet', who, { transfer_id: id })).json as Body
  const { refunds, amount } = shown['transfer'] as { refunds: { amount: string }[]; amount: string }
  const total = refunds.reduce((sum, one) => sum + Math.round(Number(one.amount) * 100), 0)
  must(
    session,
    total === refunded && amount === '1.00',
    `money: refunds of ${refunded} show as ${total}`,
  )
}
