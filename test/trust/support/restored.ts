import { createClient } from '../../../src/index.ts'
import { wellKnownClients } from '../../../src/server/clients/well-known-clients.ts'
import type { Received } from '../../support/receiver.ts'
import { judgeAll } from '../../support/webhook-judge.ts'
import type { Ledger } from './trial-ledger.ts'
import type { TrialService } from './trial-service.ts'

const [credentials] = wellKnownClients

/** How many of each kind are asked for; the store itself is looked at for all of them. */
const asked = 25

/**
 * Asks a service on restored data for what was acknowledged before the backup, by its ids and
 * tokens, and verifies webhooks that the first one had signed; what does not work.
 */
export async function findBroken(
  { url, post }: TrialService,
  ledger: Ledger,
  signed: readonly Received[],
): Promise<string[]> {
  const some = <Value>(values: Iterable<Value>): Value[] => [...values].slice(-asked)
  const calls = [
    ...some(ledger.wallets).map((wallet_id) => ['/wallet/get', { wallet_id }] as const),
    ...some(ledger.items.values()).map(
      (access_token) => ['/accounts/get', { access_token }] as const,
    ),
    ...some(ledger.reports.values()).map(
      (asset_report_token) => ['/asset_report/get', { asset_report_token }] as const,
    ),
    ...some(ledger.refreshTokens).map(
      (refresh_token) => ['/oauth/token', { grant_type: 'refresh_token', refresh_token }] as const,
    ),
  ]
  const broken: string[] = []
  for (const [path, body] of calls) {
    const answer = await post(path, body)
    const isLater = answer.body['error_code'] === 'PRODUCT_NOT_READY'
    if (answer.status !== 200 && !isLater) broken.push(`${path} ${JSON.stringify(answer.body)}`)
  }
  const api = createClient({ baseUrl: url, ...credentials })
  const verdicts = await judgeAll({ api }, signed)
  return [...broken, ...verdicts.filter((verdict) => verdict !== null)]
}
