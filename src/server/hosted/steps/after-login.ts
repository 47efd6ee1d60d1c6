import type { Outcome, Visit } from '../visit.ts'
import { choiceOf, inventedOf } from './choice-of.ts'

/** What follows a login that the institution accepted: the accounts, or the repaired Item. */
export async function afterLogin(visit: Visit, event: string): Promise<Outcome> {
  const { ctx, token, texts } = visit
  const invented = inventedOf(visit)
  if (token.item_id !== null) {
    await invented.repair(ctx, token.item_id)
    return { results: [], events: [[event, {}]] }
  }
  const begun = { seed: ctx.newId('uuid'), at: ctx.now }
  const answers = { ...visit.answers, ...begun }
  const accounts = await invented.listAccounts(ctx, token, choiceOf({ ...visit, answers }))
  if (accounts.length > 0) return { to: 'accounts', answers: begun, events: [[event, {}]] }
  const field = event === 'SUBMIT_MFA' ? 'one-time-code' : 'username'
  return {
    errors: [{ field, text: texts.login.noAccounts }],
    failure: { code: 'NO_ACCOUNTS', key: 'NO_ACCOUNTS' },
  }
}
