import type { SandboxPublicTokenOptionsInput } from '../../../../generated/sandbox/types.ts'
import { isDebitable } from '../../items/account.ts'
import { generateItem } from '../../simulation/generate-item.ts'
import type { AccountSpec } from '../../simulation/item-spec.ts'
import { type Connection, firstStatus } from './connection.ts'
import { toCustomAccounts } from './custom-accounts.ts'
import { daysOf, type History } from './history.ts'

interface Linking {
  seed: string
  connection: Connection
  history: History
  options: SandboxPublicTokenOptionsInput | null | undefined
}

interface LinkedSpec {
  accounts: AccountSpec[]
  /** Whether its data goes on with the clock. */
  evolves: boolean
}

const customUser = 'user_custom'

/** What a new Item holds: the world that was given for it, or a generated one. */
export async function createLinkedSpec(linking: Linking): Promise<LinkedSpec> {
  const { seed, connection, history, options } = linking
  const { country } = connection
  if (options?.override_username === customUser) {
    // Its validator is large, and few processes ever meet such a user.
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
  // Numbers that the user gave are those of one account.
  const shared = connection.institution ? accounts : accounts.slice(0, 1)
  return { accounts: withVerification(shared, connection), evolves: !history.isOver }
}

/** The accounts with the state of the check that the Item's auth method starts. */
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
