import type { AccountSubtype, AccountType } from '#contract/closed.ts'
import type { LinkItemAddResult } from '../../../generated/platform/closed.ts'
import type { AccountRow } from '../items/account-store.ts'

/** An Item that a user has linked, as the link session shows it. */
export const toLinkResult = (
  public_token: string,
  accounts: readonly AccountRow[],
  institution: LinkItemAddResult['institution'],
): LinkItemAddResult => ({
  public_token,
  accounts: accounts.map((account) => ({
    id: account.account_id,
    name: account.name,
    mask: account.mask,
    type: account.type as AccountType,
    subtype: account.subtype as AccountSubtype | null,
    verification_status: account.verification_status,
  })),
  institution,
})
