// biome-ignore-all lint/suspicious/noTemplateCurlyInString: these texts are sources.

import type { Bug } from './bugs.ts'

/** Mistakes that were chosen after the fuzzer was finished; nothing in it was made to find them. */
export const heldOut: readonly Bug[] = [
  {
    name: 'the oldest wallets come first',
    file: 'src/server/wallets/store.ts',
    from: 'order by sequence desc limit $3',
    to: 'order by sequence limit $3',
  },
  {
    name: 'dashboard users are found whosever they are',
    file: 'src/server/users/dashboard-store.ts',
    from: 'where client_id = $1 and id = $2',
    to: "where client_id is not null and $1 <> '' and id = $2",
  },
  {
    name: 'the first refund of a transfer is not counted',
    file: 'src/server/transfers/refund.ts',
    from: 'const counted = refunds.filter(',
    to: 'const counted = refunds.slice(1).filter(',
  },
  {
    name: 'who tries an identity verification again has given consent',
    file: 'src/server/sandbox-identity-verification/sandboxIdentityVerificationRetry.ts',
    from: 'gave_consent: previous.gave_consent === 1',
    to: 'gave_consent: true',
  },
  {
    name: 'a report reaches back a day too far',
    file: 'src/server/asset-reports/make-report.ts',
    from: 'addDays(today, 1 - request.days_requested)',
    to: 'addDays(today, -request.days_requested)',
  },
  {
    name: 'liabilities of all accounts are shown, whichever were asked for',
    file: 'src/server/items/liabilitiesGet.ts',
    from: 'selectAccounts(open, body.options?.account_ids)',
    to: 'selectAccounts(open, undefined)',
  },
]
