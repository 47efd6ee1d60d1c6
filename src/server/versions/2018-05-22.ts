import { differences } from '../../../generated/2018-05-22/differences.ts'
import type {
  Account,
  Identity,
  IdentityAddress,
  IdentityGetResponse,
  Owner,
} from '../../../generated/2018-05-22/types.ts'
import type { VersionFileOf } from './step.ts'

type OwnedAccount = Account & { owners: readonly Owner[] }

/** Identity stands beside the accounts; what several of them share stands there once. */
function identityGet({
  accounts,
  ...rest
}: Omit<IdentityGetResponse, 'accounts' | 'identity'> & { accounts: OwnedAccount[] }) {
  return {
    accounts: accounts.map(({ owners: _, ...account }) => account),
    ...rest,
    identity: toIdentity(accounts),
  }
}

function toIdentity(accounts: readonly OwnedAccount[]): Identity {
  const owners = accounts.flatMap((account) => account.owners)
  return {
    names: unique(owners.flatMap(({ names }) => names)),
    emails: unique(owners.flatMap(({ emails }) => emails)),
    phone_numbers: unique(owners.flatMap(({ phone_numbers }) => phone_numbers)),
    addresses: toAddresses(accounts),
  }
}

function unique<Entry>(entries: readonly Entry[]): Entry[] {
  return [...new Map(entries.map((entry) => [JSON.stringify(entry), entry])).values()]
}

/** Each address once, with the accounts that it is on file for. */
function toAddresses(accounts: readonly OwnedAccount[]): IdentityAddress[] {
  const found = new Map<string, IdentityAddress>()
  for (const { owners, name, mask } of accounts) {
    const account = mask === null ? name : `${name} ${mask}`
    for (const { data, primary = false } of owners.flatMap(({ addresses }) => addresses)) {
      const key = JSON.stringify(data)
      const before = found.get(key) ?? { accounts: [], primary: false, data }
      found.set(key, {
        accounts: unique([...before.accounts, account]),
        primary: before.primary || primary,
        data,
      })
    }
  }
  return [...found.values()]
}

export const file = {
  differences,
  requests: {},
  responses: { identityGet },
} satisfies VersionFileOf<typeof differences>
