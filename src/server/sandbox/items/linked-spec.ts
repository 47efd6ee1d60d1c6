import type { SandboxPublicTokenOptionsInput } from '../../../../generated/sandbox/closed.ts'
import { isDebitable } from '../../items/account.ts'
import { generateItem } from '../../simulation/generate-item.ts'
import type { AccountSpec } from '../../simulation/item-spec.ts'
import { type Connection, firstStatus } from './connection.ts'
import { toCustomAccounts } from './custom-accounts.ts'
import { daysOf, type History } from './history.ts'

export interface Linking {
  seed: string
  connection: Connection
  history: History
  options?: SandboxPublicTokenOptionsInput | null | undefined
}

interface LinkedSpec {
  accounts: AccountSpec[]
  /** Whether its data evolves with the clock. */
  evolves: boolean
}

const customUser = 'user_custom'

/** The content of a new Item: the given custom data, or generated data. */
export async function createLinkedSpec(linking: Linking): Promise<LinkedSpec> {
  const { seed, connection, history, options } = linking
  const { country } = connection
  if (options?.override_username === customUser) {
    // Loaded on demand: its validator is large, and few processes need it.
    const { readCustomUser } = await import('./custom-user.ts')
    const user = readCustomUser(options.override_password ?? '')
    const accounts = toCustomAccounts(user, { seed, history })
    return { accounts: withVerification(accounts, connection), evolves: false }
  }
  const { accounts } = generateItem(seed, {
    anchor: history.to,
    country,
    days: daysOf(history),
  })
  // Account numbers from the user belong to one account.
  const shared = connection.institution ? accounts : accounts.slice(0, 1)
  return { accounts: withVerification(shared, connection), evolves: !history.isOver }
}

/** The accounts with the initial verification status of the Item's auth method. */
function withVerification(accounts: AccountSpec[], { authMethod }: Connection): AccountSpec[] {
  const verification_status = authMethod === null ? undefined : firstStatus[authMethod]
  if (verification_status === undefined) return accounts
  return accounts.map((account) => {
    if (!isDebitable(account)) return account
    const verification_name = account.owners[0]?.names[0]
    return {
      ...account,
      verification_status,
      ...(verification_name === undefined ? {} : { verification_name }),
    }
  })
}
