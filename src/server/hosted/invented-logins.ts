import type { AccountType } from '#contract/closed.ts'
import type { ErrorKey } from '../../../generated/errors.ts'
import type { LinkItemAddResult } from '../../../generated/platform/closed.ts'
import type { Context } from '../kernel/context.ts'
import type { LinkTokenRow } from '../link/link-token-store.ts'
import type { Authorizer } from '../sources/connector.ts'

/** The institution that the user chose, and what its data is generated from. */
export interface Choice {
  institutionId: string
  seed: string
  /** The time of the first data. */
  at: string
}

/** An account that the user can share. */
export interface AccountChoice {
  /** Its place among the accounts of the user at the institution. */
  place: number
  name: string
  mask: string | null
  type: AccountType
}

/** Why the institution rejected a login. */
export interface LoginFailure {
  /** The text of the page. */
  text: 'rejected' | 'locked' | 'expired'
  /** The code in the event. */
  code: string
  /** The error of a session that the user leaves after it; null for one that the catalog lacks. */
  key: ErrorKey | null
}

/** Logs in at institutions of the sandbox, and links Items with what is there. */
export interface InventedLogins {
  /** The one-time code, which the page of the sandbox tells. */
  readonly code: string
  /** Who asks at an institution whose users log in on a website of its own. */
  websiteOf(institutionId: string): Authorizer | undefined
  logIn(username: string): 'in' | 'code' | LoginFailure
  /** The accounts that the filters of the link token let through. */
  listAccounts(ctx: Context, token: LinkTokenRow, choice: Choice): Promise<AccountChoice[]>
  /** Links an Item with the accounts at these places. */
  link(
    ctx: Context,
    token: LinkTokenRow,
    choice: Choice & { accounts: readonly number[]; webhook: string | null },
  ): Promise<LinkItemAddResult[]>
  /** Makes the Item of the update flow work again. */
  repair(ctx: Context, itemId: string): Promise<void>
}
