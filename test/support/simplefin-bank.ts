import type { BankAccount, ScriptedBank } from '../../src/connector-tests/index.ts'

const host = 'bridge.example.com'
const toToken = (address: string) => Buffer.from(address).toString('base64')
const setupToken = toToken(`https://${host}/simplefin/claim/one`)
const password = 'a-long-password'

/** A server of SimpleFIN for the checks of connectors. */
export const simplefinBank: ScriptedBank = {
  settings: { hosts: [host] },
  answer: () => ({ setup_token: setupToken }),
  wrongAnswer: { setup_token: toToken(`https://${host}/simplefin/claim/another`) },
  respond({ method, url, headers }, { accounts }) {
    if (method === 'POST') {
      const isKnown = url.pathname === '/simplefin/claim/one'
      if (!isKnown) return { status: 403, body: 'Forbidden' }
      return { body: `https://demo-user:${password}@${host}/simplefin` }
    }
    if (headers?.['Authorization'] !== `Basic ${toToken(`demo-user:${password}`)}`) {
      return { status: 403, body: '' }
    }
    const failing = accounts.filter(({ fails }) => fails)
    const errlist = failing.map(({ id }) => {
      return { code: 'act.failed', msg: 'not read', account_id: id }
    })
    const isPlain = !url.searchParams.has('balances-only')
    return {
      body: JSON.stringify({ errlist, accounts: accounts.map((one) => tell(one, isPlain)) }),
    }
  },
}

const noon = (day: string) => Date.parse(`${day}T12:00:00Z`) / 1000

const tell = ({ id, name, currency, balance, rows, fails }: BankAccount, hasRows: boolean) => ({
  org: { domain: 'bank.example', name: 'First Bank' },
  id,
  name,
  currency,
  balance,
  'balance-date': noon('2026-03-16'),
  transactions:
    fails || !hasRows
      ? []
      : rows.map(({ status, date, ...row }) => ({
          id: row.id,
          amount: row.amount,
          description: row.description,
          posted: status === 'posted' ? noon(date) : 0,
          ...(status === 'pending' ? { pending: true, transacted_at: noon(date) } : {}),
        })),
})
