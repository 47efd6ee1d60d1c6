import { customOptions } from './custom-user.ts'
import { listsGrow } from './laws-cursors.ts'
import { faultIsOnes, removedStaysRemoved, webhookOnce } from './laws-events.ts'
import { filtersChoose, reportsReach } from './laws-filters.ts'
import { healthHolds } from './laws-health.ts'
import { cursorsBelong, pagesMakeTheList, whatIsMadeIsThere } from './laws-lists.ts'
import { moneyAdds, refundsAreBounded } from './laws-money.ts'
import { imageExpires, publicTokenOnce, scopesHold, tokenEnds } from './laws-tokens.ts'
import type { Luck } from './references.ts'
import type { Session } from './session.ts'

/** Something that holds over several requests of one tenant, and of another beside it. */
type Law = (session: Session, who: number, luck: Luck) => Promise<void>

const everyLaw = {
  begin,
  cursorsBelong,
  faultIsOnes,
  filtersChoose,
  healthHolds,
  imageExpires,
  listsGrow,
  moneyAdds,
  pagesMakeTheList,
  publicTokenOnce,
  refundsAreBounded,
  removedStaysRemoved,
  reportsReach,
  scopesHold,
  tokenEnds,
  webhookOnce,
  whatIsMadeIsThere,
} satisfies Record<string, Law>

export type LawName = keyof typeof everyLaw

export const laws: Readonly<Record<LawName, Law>> = everyLaw

export const lawNames = Object.keys(everyLaw) as LawName[]

/** Gives a tenant one of most things, so that what follows has something to name. */
async function begin(session: Session, who: number, luck: Luck): Promise<void> {
  const { ask, target } = session
  const linked = await ask('sandboxPublicTokenCreate', who, {
    institution_id: 'ins_109508',
    initial_products: ['transactions', 'identity', 'liabilities', 'assets'],
    options: {
      webhook: `${target.receiver}/${who}`,
      ...customOptions((bound) => (bound === 4 ? 2 : 1)),
    },
  })
  const item = await ask('itemPublicTokenExchange', who, pick(linked.json, 'public_token'))
  const token = pick(item.json, 'access_token')
  await ask('accountsGet', who, token)
  await ask('transactionsSync', who, { ...token, count: 1 })
  await ask('walletCreate', who, { iso_currency_code: luck(2) === 0 ? 'GBP' : 'EUR' })
  await ask('userCreate', who, { client_user_id: `borrower-${luck(1000)}` })
  await ask('oauthToken', who, { grant_type: 'client_credentials' })
  await ask('assetReportCreate', who, {
    access_tokens: Object.values(token),
    days_requested: 61,
  })
}

/** One field of an answer, as the body of a next request. */
export function pick(json: unknown, ...names: string[]): Record<string, string> {
  const answer = (json ?? {}) as Record<string, string>
  return Object.fromEntries(names.map((name) => [name, String(answer[name])]))
}
