import type { AccountKind } from '#contract/closed.ts'
import { nameOf } from '../sources/account-kind.ts'
import { type KindName, kinds } from './steps/read-details.ts'
import type { Texts } from './texts/texts.ts'

interface Named {
  name: string | null
  mask: string | null
  /** Null where it is not known. */
  kind: AccountKind | null
}

/** What the pages call an account: names that the service made are in the words of the page. */
export function accountName(texts: Texts, { name, mask, kind }: Named): string {
  const { details, accounts } = texts
  const named = kind && kindName(texts, kind)
  if (name === null && !named) {
    return mask === null ? details.account : details.accountEnding(mask)
  }
  const isMade = name === null || (kind && nameOf(kind, mask) === name)
  const shown = (isMade ? named : name) ?? name ?? details.account
  return mask === null || shown.includes(mask) ? shown : `${shown}, ${accounts.ending(mask)}`
}

function kindName({ kindNames }: Texts, { type, subtype }: AccountKind): string | null {
  const known = Object.entries(kinds).find(
    ([, one]) => one.type === type && one.subtype === subtype,
  )
  return known ? kindNames[known[0] as KindName] : null
}
