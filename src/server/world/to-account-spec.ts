import type { Owner, VerificationInsights } from '#contract/types.ts'
import type {
  SandboxLiabilityInput,
  SandboxVerificationInsightsInput,
  WorldAccount,
} from '../../../generated/sandbox/types.ts'
import { requireLiabilityChange } from '../items/change-liability.ts'
import { type LiabilityKind, liabilityKindOf } from '../items/liability.ts'
import { toOwner } from '../items/owners.ts'
import type { AccountHead } from './accounts.ts'
import type { AccountSpec, LiabilitySpec } from './item-spec.ts'
import { complete } from './world-context.ts'
import { needs } from './world-needs.ts'

/** What is so unless the file says otherwise. */
export interface Usual {
  liability(kind: LiabilityKind): LiabilitySpec
  owners(): Owner[]
}

type Kind = Pick<AccountHead, 'type' | 'subtype'>

/** A generated account with what a file says of it. */
export function changeAccount(account: AccountSpec, change: WorldAccount): AccountSpec {
  const { type = account.type, subtype = account.subtype, liability } = change
  return {
    ...account,
    // A check has found that they belong together.
    ...({ type, subtype } as Kind),
    ...given(change, ['account_id', 'name', 'official_name', 'mask', 'holder_category']),
    balances: { ...account.balances, ...toBalances(change) },
    ...detailsOf(change),
    ...(change.owners ? { owners: change.owners.map(toOwner) } : {}),
    ...changedLiability(account.liability, liability),
  }
}

/** An account that a file spells out. */
export function toAccountHead(account: WorldAccount, usual: Usual): AccountHead {
  const { type, subtype, name } = complete(account, needs.account)
  const { official_name = null, mask = null, holder_category = null, liability } = account
  const kind = liabilityKindOf({ type, subtype })
  return {
    ...given(account, ['account_id']),
    ...({ type, subtype } as Kind),
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
    owners: account.owners?.map(toOwner) ?? usual.owners(),
    ...changedLiability(liability && kind ? usual.liability(kind) : undefined, liability),
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
  const unofficial = balances?.unofficial_currency_code != null
  return { ...balances, ...(unofficial ? { iso_currency_code: null } : {}) } as Partial<
    AccountSpec['balances']
  >
}

/** What was left out of the evidence, null included, is not shown. */
const toInsights = (given: SandboxVerificationInsightsInput): VerificationInsights => ({
  ...(given.name_match_score == null ? {} : { name_match_score: given.name_match_score }),
  network_status: given.network_status,
  ...(given.previous_returns?.has_previous_administrative_return == null
    ? {}
    : {
        previous_returns: {
          has_previous_administrative_return:
            given.previous_returns.has_previous_administrative_return,
        },
      }),
  account_number_format: given.account_number_format,
})

const changedLiability = (
  base: LiabilitySpec | undefined,
  over: SandboxLiabilityInput | undefined,
): Pick<AccountSpec, 'liability'> => {
  const liability = over ? requireLiabilityChange(base, over) : base
  return liability ? { liability } : {}
}
