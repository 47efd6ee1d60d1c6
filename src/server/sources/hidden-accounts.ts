import type { SourceAccount } from '../../statements/statement.ts'
import { namesOf } from './account-numbers.ts'

/** An account of a source that the Item does not show. */
export interface HiddenAccount {
  account: SourceAccount
  /** Whether the user does not share it. Otherwise its type is not known yet. */
  isLeftOut: boolean
}

/** The hidden accounts of a stored list. */
export const readHidden = (json: string): HiddenAccount[] => JSON.parse(json)

/** The entry of an account, whatever it is called now. */
export const findHidden = (
  hidden: readonly HiddenAccount[],
  account: SourceAccount,
): HiddenAccount | undefined => {
  const names = new Set(namesOf(account))
  return hidden.find((one) => namesOf(one.account).some((name) => names.has(name)))
}

/** The list without the accounts that are shown by now. */
export const withoutShown = (
  hidden: readonly HiddenAccount[],
  shown: readonly SourceAccount[],
): HiddenAccount[] => {
  const names = new Set(shown.flatMap(namesOf))
  return hidden.filter(({ account }) => !namesOf(account).some((name) => names.has(name)))
}
