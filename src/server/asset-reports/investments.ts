import type {
  AssetReportInvestments,
  Holding,
  InvestmentTransaction,
  Security,
} from '#contract/closed.ts'
import type { AccountRow } from '../items/account-store.ts'
import { toAmount } from '../kernel/money.ts'
import { addDays } from '../kernel/time.ts'
import { createRandom, idFrom } from '../simulation/random.ts'

/** The names, symbols and shares of the fictitious funds. */
const funds = [
  { name: 'Lighthouse Total Market Fund', ticker: 'LHTMX', type: 'mutual fund', share: 50 },
  { name: 'Tidal Bond Index', ticker: 'TDLBX', type: 'etf', share: 30 },
  { name: 'Fernhill International', ticker: 'FNHIX', type: 'mutual fund', share: 20 },
] as const

const minimumHeld = 100_00

/**
 * The holdings of an investment account. The sandbox has no trades, so they are derived from the
 * account. The part that is not cash is divided among three funds, bought some weeks ago.
 */
export function toInvestments(account: AccountRow, today: string): AssetReportInvestments {
  const invested = account.current - (account.available ?? 0)
  if (invested < minimumHeld) return { holdings: [], securities: [], transactions: [] }
  const lots = funds.map((fund) => toLot(account, fund, invested, today))
  return {
    holdings: lots.map(({ holding }) => holding),
    securities: lots.map(({ security }) => security),
    transactions: lots.map(({ purchase }) => purchase),
  }
}

interface Lot {
  holding: Holding
  security: Security
  purchase: InvestmentTransaction
}

function toLot(
  account: AccountRow,
  fund: (typeof funds)[number],
  invested: number,
  today: string,
): Lot {
  const random = createRandom(`${account.account_id} ${fund.ticker}`)
  const security_id = idFrom('securities', fund.ticker, 'opaque')
  const value = Math.floor((invested * fund.share) / 100)
  const price = random.integer(18_00, 240_00)
  const quantity = Math.round((value / price) * 10_000) / 10_000
  const cost = Math.floor((value * random.integer(88, 104)) / 100)
  const currency = {
    iso_currency_code: account.iso_currency_code as Holding['iso_currency_code'],
    unofficial_currency_code:
      account.unofficial_currency_code as Holding['unofficial_currency_code'],
  }
  return {
    security: { security_id, name: fund.name, ticker_symbol: fund.ticker, type: fund.type },
    holding: {
      account_id: account.account_id,
      security_id,
      ticker_symbol: fund.ticker,
      institution_price: toAmount(price),
      institution_price_as_of: today,
      institution_value: toAmount(value),
      cost_basis: toAmount(cost),
      quantity,
      ...currency,
    },
    purchase: {
      investment_transaction_id: idFrom(account.account_id, `${fund.ticker} buy`, 'opaque'),
      account_id: account.account_id,
      security_id,
      date: addDays(today, -random.integer(20, 50)),
      name: `BUY ${fund.name}`,
      quantity,
      vested_quantity: quantity,
      vested_value: toAmount(value),
      amount: toAmount(cost),
      price: Math.round(cost / quantity) / 100,
      fees: 0,
      type: 'buy',
      subtype: 'buy',
      ...currency,
    },
  }
}
