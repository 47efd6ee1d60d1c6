import { webhooks } from '#contract/operations.ts'
import { webhooks as undated } from '../../generated/undated.ts'

// Requests to the sandbox API beside the examples, for what no example happens to show.

const accessToken = 'access-sandbox-00000000-0000-4000-8000-000000000001'

/** An account of each kind whose subtype decides the type. */
const kinds = [
  ['depository', 'checking'],
  ['depository', 'paypal'],
  ['depository', 'hsa'],
  ['credit', 'credit card'],
  ['loan', 'mortgage'],
  ['investment', '401k'],
  ['payroll', 'payroll'],
  ['other', 'other'],
]

/** By the name of the request's schema. */
export const sandboxBodies: Record<string, unknown[]> = {
  SandboxAccountCreateRequest: kinds.map(([type, subtype]) => ({
    access_token: accessToken,
    type,
    subtype,
    name: 'Holiday Savings',
  })),
  SandboxTransferCreateRequest: [
    {
      account_id: 'TSqdADmriVPByJEsmQ98pm2BwKC8okk2LbKVd',
      type: 'credit',
      network: 'wire',
      amount: '3000.00',
      description: 'Loan payout',
      user: { legal_name: 'Maren Talvik' },
      wire_details: { message_to_beneficiary: 'Paid out', wire_return_fee: '12.50' },
    },
    {
      account_id: 'TSqdADmriVPByJEsmQ98pm2BwKC8okk2LbKVd',
      type: 'debit',
      network: 'same-day-ach',
      ach_class: 'web',
      amount: '245.10',
      description: 'Loan payment 1',
      user: { legal_name: 'Maren Talvik' },
    },
  ],
  SandboxItemFireWebhookRequest: Object.keys({ ...webhooks, ...undated }).map((name) => {
    const [webhook_type, webhook_code] = name.split('.')
    return { access_token: accessToken, webhook_type, webhook_code }
  }),
  SandboxErrorInjectRequest: [{ operation: '/accounts/get', unknown_enum: true }],
}
