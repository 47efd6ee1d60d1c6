import { adviceFor } from '../src/client/advice.ts'
import { contractChecks } from '../src/client/checks.ts'
import { createClient, paginate } from '../src/index.ts'

// Calls every operation of the mock in both versions, and prints what comes back.

const [, , baseUrl = ''] = process.argv
const client = createClient({
  baseUrl,
  clientId: 'branch-desk',
  secret: 'branch-desk-secret',
  retries: 0,
  validate: contractChecks({ requests: true, answers: true }),
})
const member_id = 'mem_4tq9zk'
const member = { name: 'Imke Brandsma', email: 'imke@example.com' }
const older = client.at('2025-06-15')

const answers = {
  [client.version]: {
    memberCreate: await client.memberCreate(member).orThrow(),
    loanCreate: await client.loanCreate({ member_id, copy_id: 'copy_77ab03' }).orThrow(),
    loanRenew: await client.loanRenew({ loan_id: 'loan_82mfx1', weeks: 3 }).orThrow(),
    loanList: await client.loanList({ member_id, count: 1 }).orThrow(),
    holdCreate: await client.holdCreate({ member_id, title_id: 'title_c19k4e' }).orThrow(),
    webhookVerificationKeyGet: await client
      .webhookVerificationKeyGet({ key_id: 'key-1' })
      .orThrow(),
  },
  [older.version]: {
    memberCreate: await older.memberCreate(member).orThrow(),
    loanCreate: await older.loanCreate({ member_id, copy_id: 'copy_77ab03' }).orThrow(),
    loanRenew: await older.loanRenew({ loan_id: 'loan_82mfx1' }).orThrow(),
    loanList: await older.loanList({ member_id, count: 1 }).orThrow(),
    holdCreate: await older.holdCreate({ member_id, title_id: 'title_c19k4e' }).orThrow(),
    webhookVerificationKeyGet: await older.webhookVerificationKeyGet({ key_id: 'key-1' }).orThrow(),
  },
}

const loans: string[] = []
for await (const { loan_id } of paginate(client, 'loanList', { member_id, count: 1 })) {
  loans.push(loan_id)
}

const open = createClient({ baseUrl, clientId: 'branch-desk', secret: 'wrong', retries: 0 })
const known = createClient({
  baseUrl,
  clientId: 'branch-desk',
  secret: 'branch-desk-secret',
  retries: 0,
})
const headers = { Prefer: 'example=NO_RENEWALS_LEFT' }
const errors = [
  (await open.loanList({ member_id })).error,
  (await known.loanRenew({ loan_id: 'loan_82mfx1', weeks: 9 })).error,
  (await known.at('2025-06-15').loanRenew({ loan_id: 'loan_82mfx1', ...{ weeks: 3 } })).error,
  (await known.loanRenew({ loan_id: 'loan_82mfx1' }, { headers })).error,
]
const refusals = errors.map((error) => error && [error.status, error.error_code, error.fields])
const advice = errors.map((error) => error && adviceFor(error)?.action)

console.log(JSON.stringify({ answers, loans, refusals, advice }))
