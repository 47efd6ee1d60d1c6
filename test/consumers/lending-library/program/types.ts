import { createClient, type Loan, paginate, type ServiceError } from '../src/index.ts'
import type { WebhookEvent } from '../src/webhooks/index.ts'

// Compiled and never run: what the types of the library accept, and what they reject.

const client = createClient({ baseUrl: 'http://127.0.0.1:4010', clientId: 'a', secret: 'b' })
const older = client.at('2025-06-15')

export async function accepted(): Promise<Loan | undefined> {
  const { data, error } = await client.loanRenew({ loan_id: 'loan_82mfx1', weeks: 3 })
  if (error?.error_code === 'NO_RENEWALS_LEFT') return undefined
  const { loan } = data ?? (await client.loanRenew({ loan_id: 'loan_82mfx1' }).orThrow())
  const left: number = loan.renewals_left
  if (loan.status === 'OVERDUE' && left > 0) return loan
  for await (const each of paginate(client, 'loanList', { member_id: loan.member_id })) return each
  await client.memberCreate({ name: 'Imke Brandsma', email: null })
  await older.memberCreate({ name: 'Imke Brandsma', email: 'imke@example.com' })
  return loan
}

export async function rejected(failed: ServiceError): Promise<void> {
  // @ts-expect-error: a field is missing
  await client.loanCreate({ member_id: 'mem_4tq9zk' })
  // @ts-expect-error: a field has the wrong type
  await client.loanRenew({ loan_id: 'loan_82mfx1', weeks: 'three' })
  // @ts-expect-error: a field is unknown
  await client.holdCreate({ member_id: 'mem_4tq9zk', title_id: 'title_c19k4e', shelf: 4 })
  // @ts-expect-error: no operation has this name
  await client.accountsGet({})
  // @ts-expect-error: the older version has no `weeks`
  await older.loanRenew({ loan_id: 'loan_82mfx1', weeks: 3 })
  // @ts-expect-error: the older version needs an email address
  await older.memberCreate({ name: 'Imke Brandsma' })
  const { data } = await older.loanCreate({ member_id: 'mem_4tq9zk', copy_id: 'copy_77ab03' })
  // @ts-expect-error: loans of the older version do not count renewals
  console.log(data?.loan.renewals_left)
  // @ts-expect-error: no error has this type
  if (failed.error_type === 'ITEM_ERROR') return
}

export function receive(event: WebhookEvent): string {
  if (event.webhook_type === 'LOAN' && event.webhook_code === 'OVERDUE') return event.due_date
  if (event.webhook_type === 'HOLD' && event.webhook_code === 'READY') return event.pick_up_until
  // @ts-expect-error: no webhook has this code
  if (event.webhook_code === 'RETURNED') return ''
  return ''
}
