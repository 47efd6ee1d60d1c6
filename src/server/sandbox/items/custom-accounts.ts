import type { AccountKind, Owner } from '#contract/closed.ts'
import type {
  SandboxCustomAccountInput,
  SandboxCustomIdentityInput,
  SandboxCustomTransactionInput,
  SandboxCustomUserInput,
} from '../../../../generated/sandbox/closed.ts'
import { changeLiability, findForeignFields } from '../../items/change-liability.ts'
import { generateLiability, liabilityKindOf } from '../../items/liability.ts'
import { toOwner } from '../../items/owners.ts'
import { toAmount, toMinor } from '../../kernel/money.ts'
import { generateItem } from '../../simulation/generate-item.ts'
import type { AccountSpec, LiabilitySpec, TransactionSpec } from '../../simulation/item-spec.ts'
import { countryOf } from '../../simulation/profile.ts'
import { createRandom } from '../../simulation/random.ts'
import { toPlainSpec } from '../../transactions/plain-transaction.ts'
import { daysOf, type History } from './history.ts'
import { toLiabilityInput } from './liability-input.ts'

/** The source of omitted fields. */
interface Surroundings {
  seed: string
  history: History
}

/** A generated Item, by seed and currency. Most accounts share one. */
type Generate = (seed: string, currency: string) => AccountSpec[]

/** The accounts of a custom user. */
export function toCustomAccounts(
  user: SandboxCustomUserInput,
  surroundings: Surroundings,
): AccountSpec[] {
  const { seed, history } = surroundings
  const generate = memoize((of, currency) => {
    const options = { anchor: history.to, country: countryOf(currency), days: daysOf(history) }
    return generateItem(of, options).accounts
  })
  const taken = new Set<string>()
  return user.override_accounts.map((input, index) => {
    if (input.transactions) return toAccount(input, surroundings, generate)
    // Two accounts of the same kind must not have the same transactions.
    const kind = `${input.type}/${input.currency ?? 'USD'}`
    const own = taken.has(kind) ? `${seed}/${index}` : seed
    taken.add(kind)
    return toAccount(input, { ...surroundings, seed: own }, generate)
  })
}

function memoize(generate: Generate): Generate {
  const known = new Map<string, AccountSpec[]>()
  return (seed, currency) => {
    const key = `${seed}/${currency}`
    const accounts = known.get(key) ?? generate(seed, currency)
    known.set(key, accounts)
    return accounts
  }
}

function toAccount(
  input: SandboxCustomAccountInput,
  surroundings: Surroundings,
  generate: Generate,
): AccountSpec {
  const currency = input.currency ?? 'USD'
  const generated = findGenerated(input, generate(surroundings.seed, currency), currency)
  const { owners, transactions } = generated
  const given = input.transactions?.map((transaction) => toTransaction(transaction, currency))
  const meta = input.meta ?? {}
  return {
    // The validator has checked that type and subtype belong together.
    ...({ type: input.type, subtype: input.subtype } as AccountKind),
    name: meta.name ?? generated.name,
    official_name: meta.official_name ?? null,
    mask: meta.mask ?? createRandom(`${surroundings.seed}/${generated.name}/mask`).digits(4),
    balances: toBalances(input, generated, given ?? [], surroundings.history.to),
    owners: input.identity ? [toCustomOwner(input.identity, owners)] : owners,
    transactions: given ?? transactions,
    ...toLiability(input, surroundings, currency),
  }
}

type Generated = Pick<AccountSpec, 'name' | 'owners' | 'transactions'> & { current: number }

/** The generated account that is most similar to the given one. */
function findGenerated(
  { type, subtype }: SandboxCustomAccountInput,
  accounts: readonly AccountSpec[],
  currency: string,
): Generated {
  const like = accounts.find((account) => account.type === type && account.subtype === subtype)
  const near = like ?? (type === 'loan' ? undefined : accounts.find((one) => one.type === type))
  return {
    name: like?.name ?? toTitle(subtype ?? type),
    owners: accounts[0]?.owners ?? [],
    current: near?.balances.current ?? 0,
    // Custom data does not evolve, so a pending transaction would never post.
    transactions: (near?.transactions ?? [])
      .filter(({ pending }) => !pending)
      .map((transaction) => ({
        ...transaction,
        iso_currency_code: currency,
        pending_transaction_id: null,
      })),
  }
}

const toTitle = (name: string): string => name.charAt(0).toUpperCase() + name.slice(1)

function toTransaction(input: SandboxCustomTransactionInput, currency: string): TransactionSpec {
  return toPlainSpec({
    amount: input.amount,
    description: input.description,
    date: input.date_posted,
    authorized_date: input.date_transacted,
    pending: false,
    iso_currency_code: input.currency ?? currency,
    unofficial_currency_code: null,
  })
}

/** Balances after the given transactions up to today. Later ones are in the future. */
function toBalances(
  input: SandboxCustomAccountInput,
  generated: Generated,
  transactions: readonly TransactionSpec[],
  today: string,
): AccountSpec['balances'] {
  const moved = transactions
    .filter(({ date }) => date <= today)
    .reduce((sum, { amount }) => sum + toMinor(amount), 0)
  const isDebt = input.type === 'credit' || input.type === 'loan'
  const start = toMinor(input.starting_balance ?? generated.current)
  const current = isDebt ? start + moved : start - moved
  const limit = input.meta?.limit ?? null
  const credit = limit === null ? null : toAmount(toMinor(limit) - current)
  return {
    available: input.type === 'depository' ? toAmount(current) : isDebt ? credit : null,
    current: toAmount(current),
    limit,
    iso_currency_code: input.currency ?? 'USD',
    unofficial_currency_code: null,
  }
}

function toCustomOwner(identity: SandboxCustomIdentityInput, owners: readonly Owner[]): Owner {
  const { names, emails, phone_numbers, addresses } = identity
  return toOwner({
    names: names ?? owners[0]?.names ?? [],
    emails: emails ?? [],
    phone_numbers: phone_numbers ?? [],
    addresses: addresses ?? [],
  })
}

/**
 * The generated liability with the given fields. Fields that its kind does not have are ignored.
 */
function toLiability(
  input: SandboxCustomAccountInput,
  { seed, history }: Surroundings,
  currency: string,
): { liability?: LiabilitySpec } {
  const kind = liabilityKindOf(input)
  if (!kind) return {}
  const country = countryOf(currency)
  const generated = generateLiability(kind, { seed, date: history.to, country })
  const given = toLiabilityInput(input.liability ?? {})
  const foreign = new Set(findForeignFields(kind, given))
  const own = Object.entries(given).filter(([name]) => !foreign.has(name))
  return { liability: changeLiability(generated, Object.fromEntries(own)) }
}
