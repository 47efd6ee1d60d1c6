/** What was answered with success so far, so that it has to be there for ever. */
export interface Ledger {
  wallets: Set<string>
  users: Set<string>
  reports: Map<string, string>
  transactions: Set<string>
  refreshTokens: Set<string>
  bankTransfers: Set<string>
  refunds: Set<string>
  items: Map<string, string>
  /** Webhooks that were asked for, and movements of money: how many at least, and at most. */
  fired: Count
  moved: Count
}

interface Count {
  answered: number
  asked: number
}

export const newLedger = (): Ledger => ({
  wallets: new Set(),
  users: new Set(),
  reports: new Map(),
  transactions: new Set(),
  refreshTokens: new Set(),
  bankTransfers: new Set(),
  refunds: new Set(),
  items: new Map(),
  fired: { answered: 0, asked: 0 },
  moved: { answered: 0, asked: 0 },
})

/** What has been acknowledged by now; what comes later may be there as well. */
export const copyOf = (ledger: Ledger): Ledger => ({
  ...structuredClone(ledger),
  fired: { ...ledger.fired, asked: Number.POSITIVE_INFINITY },
  moved: { ...ledger.moved, asked: Number.POSITIVE_INFINITY },
})
