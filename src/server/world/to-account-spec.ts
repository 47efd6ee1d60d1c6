import type { Owner, VerificationInsights } from '../../../generated/2020-09-14/types.ts'
import type {
  SandboxLiabilityInput,
  SandboxOwnerInput,
  SandboxVerificationInsightsInput,
  WorldAccount,
} from '../../../generated/sandbox/types.ts'
import { type LiabilityKind, liabilityKindOf } from '../items/liability.ts'
import type { AccountHead } from './accounts.ts'
import type { AccountSpec, LiabilitySpec } from './item-spec.ts'
import { complete } from './world-context.ts'
import { needs } from './world-rules.ts'

/** What a liability says unless the file says otherwise. */
export type LiabilityBase = (kind: LiabilityKind) => LiabilitySpec

/** A generated account with what a file says of it. */
export function changeAccount(head: AccountHead, account: WorldAccount): AccountHead {
  const { type = head.type, subtype = head.subtype, name = head.name, liability } = account
  return {
    ...head,
    account_id: account.account_id,
    // A check has found that they belong together.
    ...({ type, subtype } as Pick<AccountHead, 'type' | 'subtype'>),
    name,
    ...given(account, ['official_name', 'mask', 'holder_category']),
    balances: { ...head.balances, ...toBalances(account) },
    ...detailsOf(account),
    ...(account.owners ? { owners: account.owners.map(toOwner) } : {}),
    ...(liability && head.liability
      ? { liability: mergeLiability(head.liability, liability) }
      : {}),
  }
}

/** An account that a file spells out. */
export function toAccountHead(account: WorldAccount, baseOf: LiabilityBase): AccountHead {
  const { type, subtype, name } = complete(account, needs.account)
  const { official_name = null, mask = null, holder_category = null, liability } = account
  const kind = liabilityKindOf({ type, subtype })
  const base = liability && kind ? baseOf(kind) : undefined
  return {
    account_id: account.account_id,
    ...({ type, subtype } as Pick<AccountHead, 'type' | 'subtype'>),
    name,
    official_name,
    mask,
    holder_category,
    balances: {
      available: null,
      current: 0,
      limit: null,
      iso_currency_code: 'USD',
      unofficial_currency_code: null,
      ...toBalances(account),
    },
    ...detailsOf(account),
    owners: (account.owners ?? []).map(toOwner),
    ...(base && liability ? { liability: mergeLiability(base, liability) } : {}),
  }
}

/** Those of the fields that are there, null included. */
const given = <Field extends keyof WorldAccount>(account: WorldAccount, fields: readonly Field[]) =>
  Object.fromEntries(
    fields.flatMap((field) => (account[field] === undefined ? [] : [[field, account[field]]])),
  ) as { [Name in Field]?: Exclude<WorldAccount[Name], undefined> }

const detailsOf = (account: WorldAccount): Partial<AccountSpec> => ({
  ...given(account, [
    'verification_status',
    'verification_name',
    'persistent_account_id',
    'closed',
  ]),
  ...(account.verification_insights
    ? { verification_insights: toInsights(account.verification_insights) }
    : {}),
  ...(account.pending_owners ? { pending_owners: account.pending_owners.map(toOwner) } : {}),
})

/** A currency that ISO 4217 does not list takes the place of the other. */
function toBalances({ balances }: WorldAccount): Partial<AccountSpec['balances']> {
  if (!balances) return {}
  const unofficial = balances.unofficial_currency_code != null
  return { ...balances, ...(unofficial ? { iso_currency_code: null } : {}) } as Partial<
    AccountSpec['balances']
  >
}

/** An owner as the wire has it: lists that were left out are empty. */
export function toOwner(owner: SandboxOwnerInput): Owner {
  const { names, phone_numbers = [], emails = [], addresses = [] } = owner
  return {
    names,
    phone_numbers,
    emails,
    addresses: addresses.map(({ data, ...rest }) => ({
      ...rest,
      data: {
        street: data.street,
        city: data.city ?? null,
        region: data.region ?? null,
        postal_code: data.postal_code ?? null,
        country: data.country ?? null,
      },
    })),
  }
}

const toInsights = (insights: SandboxVerificationInsightsInput): VerificationInsights => ({
  name_match_score: insights.name_match_score ?? null,
  network_status: insights.network_status,
  previous_returns: insights.previous_returns ?? {},
  account_number_format: insights.account_number_format,
} as VerificationInsights)

/** What a file says of a liability over what was generated, down to its parts. */
function mergeLiability(base: LiabilitySpec, over: SandboxLiabilityInput): LiabilitySpec {
  const merged = Object.entries(over).map(([field, value]) => {
    const below: unknown = base[field as keyof LiabilitySpec]
    return [field, isObject(below) && isObject(value) ? { ...below, ...value } : value]
  })
  return { ...base, ...Object.fromEntries(merged) }
}

const isObject = (value: unknown): value is object =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
