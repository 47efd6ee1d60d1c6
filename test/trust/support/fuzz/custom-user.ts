import type { Luck } from './references.ts'

const transaction = (day: number, amount: number, currency: string) => ({
  date_transacted: `2026-03-${String(day).padStart(2, '0')}`,
  date_posted: `2026-03-${String(day + 1).padStart(2, '0')}`,
  amount,
  description: ['Corner Grocer', 'Pay', 'Rent', "O'Neil & Sons"][day % 4],
  currency,
})

const identity = {
  names: ['Maren Talvik'],
  emails: [{ data: 'maren@example.com', primary: true, type: 'primary' }],
  phone_numbers: [{ data: '+15551234567', primary: true, type: 'mobile' }],
  addresses: [
    {
      data: {
        street: '1 Mill St',
        city: 'Larkspur Falls',
        region: 'OR',
        postal_code: '97401',
        country: 'US',
      },
      primary: true,
    },
  ],
}

/** What a link asks for beside its products: the fewer days there are, the sooner it is made. */
export const customOptions = (luck: Luck) => ({
  override_username: 'user_custom',
  override_password: custom(luck),
  transactions: { start_date: '2026-03-01', end_date: '2026-03-16' },
})

/** Small seed data of one Item: an account with a history, a card that is owed on, or neither. */
function custom(luck: Luck): string {
  const currency = ['USD', 'GBP'][luck(2)] as string
  const checking = {
    type: 'depository',
    subtype: 'checking',
    starting_balance: 100.1 + luck(50),
    currency,
    meta: { name: 'Checking', mask: '0000' },
    transactions: Array.from({ length: 3 + luck(4) }, (_, index) =>
      transaction(2 + index * 3, 10.01 + index, currency),
    ),
    identity,
  }
  const card = {
    type: 'credit',
    subtype: 'credit card',
    starting_balance: 410.29,
    meta: { name: 'Card', limit: 2000 },
    transactions: [transaction(4, 0.29, 'USD')],
  }
  return JSON.stringify({
    override_accounts: [[checking], [checking], [checking, card], [card]][luck(4)],
  })
}
