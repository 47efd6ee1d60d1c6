import type { AccountType } from '#contract/closed.ts'
import type { InventedLogins, LoginFailure } from '../../hosted/invented-logins.ts'
import { lockItem } from '../../items/store.ts'
import { sharedKinds } from '../../link/shared-kinds.ts'
import { changeHealth } from '../items/change-health.ts'
import { createLinkedSpec } from '../items/linked-spec.ts'
import { askedOf, linkByToken } from './link-by-token.ts'
import { websiteOf } from './sandbox-website.ts'

const rejected: LoginFailure = { text: 'rejected', code: 'INVALID_CREDENTIALS', key: null }

/** The invented logins. Any other user name is rejected like `user_bad`. */
const logins: Readonly<Record<string, ReturnType<InventedLogins['logIn']>>> = {
  user_good: 'in',
  user_mfa: 'code',
  user_bad: rejected,
  user_locked: { text: 'locked', code: 'ITEM_LOCKED', key: 'ITEM_LOCKED' },
  user_expired: {
    text: 'expired',
    code: 'PASSWORD_RESET_REQUIRED',
    key: 'PASSWORD_RESET_REQUIRED',
  },
}

/** Stands for every institution of the sandbox. */
export const sandboxLogins: InventedLogins = {
  code: '123456',
  websiteOf,
  logIn: (username) => (Object.hasOwn(logins, username) ? logins[username] : undefined) ?? rejected,
  async listAccounts(ctx, token, { institutionId, seed, at }) {
    const asked = await askedOf(ctx, token, institutionId, at)
    const { accounts } = await createLinkedSpec({ seed, ...asked })
    const passes = sharedKinds(token)
    return accounts.flatMap((account, place) => {
      if (!passes(account)) return []
      const { name, mask } = account
      return [{ place, name, mask, type: account.type as AccountType }]
    })
  },
  link: (ctx, token, choice) => linkByToken(ctx, token, choice),
  async repair(ctx, itemId) {
    await changeHealth(ctx, await lockItem(ctx, itemId), null)
  },
}
