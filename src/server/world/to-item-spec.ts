import type { WorldAccount, WorldItem } from '../../../generated/sandbox/types.ts'
import { generateLiability } from '../items/liability.ts'
import { toOwner } from '../items/owners.ts'
import { addDays, dayMs } from '../time.ts'
import { holderOf } from './accounts.ts'
import { generateItem } from './generate-item.ts'
import type { AccountSpec, ItemSpec } from './item-spec.ts'
import { type Role, roles } from './movement.ts'
import { changeAccount, toAccountHead, type Usual } from './to-account-spec.ts'
import { toWorldTransaction } from './to-world-transaction.ts'

/** What an Item of a file follows from. */
export interface ItemOrigin {
  seed: string
  anchor: string
  today: string
}

/** The generated accounts with what the file says of them, then those that it spells out. */
export function toItemSpec(item: WorldItem, origin: ItemOrigin): ItemSpec {
  const given = item.accounts ?? []
  const generated = generate(item, origin).map(({ role, account }) => {
    const change = given.find((one) => one.role === role)
    return change ? withTransactions(changeAccount(account, change), change, origin) : account
  })
  const usual = usualOf(item, origin, generated)
  const own = given
    .filter(({ role }) => role === undefined)
    .map((account) =>
      withTransactions({ ...toAccountHead(account, usual), transactions: [] }, account, origin),
    )
  return { accounts: [...generated, ...own] }
}

/** The holder of the Item's first account with one, and the debts that such a holder has. */
function usualOf(
  { generate, accounts = [] }: WorldItem,
  { seed, today: date }: ItemOrigin,
  generated: readonly AccountSpec[],
): Usual {
  const country = generate?.country ?? 'US'
  return {
    liability: (kind) => generateLiability(kind, { seed, date, country }),
    owners() {
      const known = accounts.find(({ owners }) => owners !== undefined)?.owners?.map(toOwner)
      return structuredClone(known ?? generated[0]?.owners ?? holderOf(seed, country))
    },
  }
}

/** The account with the transactions that the file adds. */
const withTransactions = (
  account: AccountSpec,
  { transactions = [] }: WorldAccount,
  { anchor }: ItemOrigin,
): AccountSpec => ({
  ...account,
  transactions: [
    ...account.transactions,
    ...transactions.map((one) => toWorldTransaction(one, account.balances, anchor)),
  ],
})

/** The story until now: what comes after it goes on day by day. */
function generate(
  { generate: options }: WorldItem,
  { seed, anchor, today }: ItemOrigin,
): { role: Role; account: AccountSpec }[] {
  if (!options) return []
  const { name, country = 'US', days = twoYears, accounts: wanted = roles } = options
  const last = options.evolves === false ? anchor : today
  const since = Math.max(0, Math.round((Date.parse(last) - Date.parse(anchor)) / dayMs))
  const { accounts } = generateItem(seed, {
    anchor: last,
    country,
    days: days + since,
    linkedOn: addDays(last, 1 - days - since),
    ...(name === undefined ? {} : { name }),
  })
  return accounts.flatMap((account, index) => {
    const role = roles[index]
    return role && wanted.includes(role) ? [{ role, account }] : []
  })
}

const twoYears = 730
