import { setTimeout as sleep } from 'node:timers/promises'
import { paths } from '../../generated/sandbox/operations.ts'
import { type Ask, requestsOf } from './cases.ts'
import type { Sending } from './load.ts'

/** Deliveries of one Item wait for each other. */
const items = 50

/** Items without a story, whose webhooks go to the receiver; requests that fire one of each. */
export async function linkItems(ask: Ask, receiver: string): Promise<Sending[]> {
  const account = {
    type: 'depository',
    subtype: 'checking',
    starting_balance: 500,
    transactions: [],
  }
  const link = {
    institution_id: 'ins_109508',
    initial_products: ['auth'],
    options: {
      webhook: `${receiver}/webhooks`,
      override_username: 'user_custom',
      override_password: JSON.stringify({ override_accounts: [account] }),
    },
  }
  const requests: Sending[] = []
  for (let made = 0; made < items; made += 1) {
    const { public_token } = await ask(paths.sandboxPublicTokenCreate, link)
    const { access_token } = await ask(paths.itemPublicTokenExchange, { public_token })
    const body = { access_token, webhook_code: 'NEW_ACCOUNTS_AVAILABLE' }
    requests.push(...requestsOf(paths.sandboxItemFireWebhook, [body]).slice(-1))
  }
  return requests
}

export async function countVerified(receiver: string): Promise<number> {
  const { verified, refused } = (await (await fetch(receiver)).json()) as Record<string, number>
  if (refused) throw new Error(`the receiver has refused ${refused} webhooks`)
  return verified ?? 0
}

/** Waits until so many have been verified, or some more: fires that had no answer count, too. */
export async function waitFor(count: () => Promise<number>, all: number): Promise<number> {
  const end = performance.now() + 120_000
  while (performance.now() < end) {
    const verified = await count()
    if (verified >= all) return verified
    await sleep(20)
  }
  throw new Error(`${await count()} of ${all} webhooks have come`)
}

/** How many there are once no more have come for a while: linking an Item sends some, too. */
export async function settle(count: () => Promise<number>): Promise<number> {
  let found = await count()
  for (let before = -1; before !== found; ) {
    before = found
    await sleep(1000)
    found = await count()
  }
  return found
}
