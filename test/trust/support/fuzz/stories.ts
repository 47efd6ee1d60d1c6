import { fillBody, fillText, keepTold, type Told } from './placeholders.ts'
import type { Session } from './session.ts'
import type { Body, Subject } from './subjects.ts'

/** A call of a story: the operation, its body with `{names}` from responses, and a bearer token. */
type Scene = readonly [operationId: string, body: Body, bearer?: string]

const link = (initial_products: string[], more: Body = {}): Scene[] => [
  ['sandboxPublicTokenCreate', { institution_id: 'ins_109508', initial_products, ...more }],
  ['itemPublicTokenExchange', { public_token: '{public_token}' }],
]

const transfer = {
  account_id: 'TSqdADmriVPByJEsmQ98pm2BwKC8okk2LbKVd',
  type: 'debit',
  network: 'ach',
  ach_class: 'web',
  amount: '9.00',
  description: 'Loan payment',
  user: { legal_name: 'Maren Talvik' },
}

/** Successes that take steps before them; `turn` makes names new. */
const stories = (turn: string): Scene[][] => [
  [
    ...link(['assets']),
    ['assetReportCreate', { access_tokens: ['{access_token}'], days_requested: 61 }],
    ['sandboxClockAdvance', { seconds: 60 }],
    ['assetReportGet', { asset_report_token: '{asset_report_token}' }],
    [
      'assetReportFilter',
      { asset_report_token: '{asset_report_token}', account_ids_to_exclude: ['{account_id}'] },
    ],
    ['oauthToken', { grant_type: 'client_credentials' }],
    ['assetReportGet', {}, '{access_token}'],
  ],
  [
    ['sandboxWebhookRotateKey', {}],
    ['webhookVerificationKeyGet', { key_id: '{key_id}' }],
  ],
  [
    ...link(['auth'], { institution_id: null, auth_method: 'AUTOMATED_MICRODEPOSITS' }),
    ['accountsGet', { access_token: '{access_token}' }],
    [
      'sandboxItemVerifyMicrodeposits',
      { access_token: '{access_token}', account_id: '{account_id}', success: true },
    ],
  ],
  [
    ...link(['transactions'], { options: { webhook: 'http://127.0.0.1:9/' } }),
    [
      'sandboxTransactionsCreate',
      {
        access_token: '{access_token}',
        transactions: [
          {
            amount: 1,
            date_posted: '2026-03-16',
            date_transacted: '2026-03-16',
            description: 'Coffee',
          },
        ],
      },
    ],
    [
      'sandboxTransactionsUpdate',
      { access_token: '{access_token}', transaction_id: '{transaction_ids}', amount: 2 },
    ],
    [
      'sandboxTransactionsRemove',
      { access_token: '{access_token}', transaction_ids: ['{transaction_ids}'] },
    ],
    ['sandboxItemFireWebhook', { access_token: '{access_token}', webhook_code: 'DEFAULT_UPDATE' }],
    ['sandboxWebhookList', {}],
    ['sandboxWebhookRedeliver', { webhook_id: '{webhook_id}' }],
    ['webhookListen', {}],
    ['webhookResend', { webhook_id: '{webhook_id}' }],
    ['requestsTail', {}],
    ['itemAccessTokenInvalidate', { access_token: '{access_token}' }],
    ['itemRemove', { access_token: '{new_access_token}' }],
  ],
  [
    [
      'linkTokenCreate',
      {
        client_name: 'Larkspur Lending',
        language: 'en',
        country_codes: ['US'],
        user: { client_user_id: `linked-${turn}` },
        products: ['transactions'],
        institution_id: 'ins_109508',
      },
    ],
    ['sandboxLinkSessionFinish', { link_token: '{link_token}', status: 'SUCCESS' }],
    ['linkTokenGet', { link_token: '{link_token}' }],
  ],
  [
    [
      'identityVerificationCreate',
      {
        client_user_id: `seen-${turn}`,
        template_id: 'idvtmp_00000000000kyc',
        is_shareable: true,
        gave_consent: true,
      },
    ],
    [
      'sandboxIdentityVerificationAdvance',
      { identity_verification_id: '{id}', step: 'kyc_check', outcome: 'success' },
    ],
    [
      'sandboxIdentityVerificationRetry',
      { client_user_id: `seen-${turn}`, template_id: 'idvtmp_00000000000kyc' },
    ],
  ],
  [
    ['sandboxTransferCreate', transfer],
    ['sandboxTransferRefundCreate', { transfer_id: '{id}', amount: '1.00' }],
    ['sandboxTransferRefundSimulate', { refund_id: '{id}', event_type: 'cancelled' }],
  ],
  [
    [
      'sandboxBankTransferCreate',
      {
        account_id: 'TSqdADmriVPByJEsmQ98pm2BwKC8okk2LbKVd',
        type: 'debit',
        amount: '6.00',
      },
    ],
    [
      'sandboxBankTransferSimulate',
      { bank_transfer_id: '{bank_transfer_id}', event_type: 'posted' },
    ],
  ],
  [
    [
      'sandboxInstitutionCreate',
      {
        name: `Bank of ${turn}`,
        products: ['transactions'],
        country_codes: ['US'],
      },
    ],
    ['userCreate', { client_user_id: `user-${turn}` }],
    ['walletCreate', { iso_currency_code: 'GBP' }],
    ['sandboxWalletTransactionCreate', { wallet_id: '{wallet_id}', amount: 1 }],
  ],
]

/** Tells every story once, all of its calls in one version. */
export async function tellStories(session: Session, version: string): Promise<void> {
  for (const story of stories(version)) {
    const told: Told = new Map()
    for (const [operationId, body, bearer] of story) {
      const answer = await session.perform({
        subject: session.subjects.get(operationId) as Subject,
        who: 0,
        version,
        body: fillBody(body, told),
        credentials: 'headers',
        bearer: bearer && fillText(bearer, told),
        trick: undefined,
        headerTrick: undefined,
        form: false,
      })
      keepTold(told, answer.json)
    }
  }
}
