import { describe, expect, test } from 'vitest'
import { details } from '../../src/server/hosted/steps/details.ts'
import { questionView } from '../../src/server/hosted/steps/question-view.ts'
import { share } from '../../src/server/hosted/steps/share.ts'
import { en } from '../../src/server/hosted/texts/en.ts'
import type { Rejected } from '../../src/server/hosted/visit.ts'
import type { Question } from '../../src/server/sources/connector.ts'
import {
  account,
  bank,
  checking,
  connected,
  rejectedAt,
  viewOf,
  visitOf,
} from '../support/hosted-visit.ts'

// The markup that browsers get. After a change of a page, look at what this command changes here:
// npx vitest run --update test/server/hosted-connect-views.test.ts

describe('the questions of a connector', () => {
  const question = (asked: Question, rejected?: Rejected, token = {}) =>
    viewOf(questionView(visitOf('production', { token }), asked, bank, rejected))

  test('a file', async () => {
    const file = { kind: 'file', accept: ['.xml', '.sta'] } as const
    expect(await question(file)).toMatchInlineSnapshot(`
      "Send a file from Tidewater <Bank>
      <p>Nothing is shared yet. First you see what the file holds. Then you choose the accounts to share.</p>
      <form method="post" action="/here?a=1&amp;b=2" enctype="multipart/form-data" novalidate>
      <input type="hidden" name="turn" value="3">
      <label for="file">File with your transactions</label>
      <p class="hint" id="file-hint">OFX, QFX, CAMT (XML), MT940 or CSV, 50 MB at most. Not PDF, and not a ZIP archive.</p>
      <input id="file" name="file" type="file" accept=".xml,.sta"
      aria-describedby="file-hint">
      <button>Send the file</button>
      <p class="hint">If the upload breaks off, nothing is lost and nothing is shared. Load this page again, and send the whole file again.</p>
      </form>
      <section class="note" aria-labelledby="where"><h2 id="where">Where do I get this file?</h2><p>Log in at your bank. Open the account, and look for “Export”, “Download” or “Statements”. Choose one of the formats above. Take CSV only if your bank offers none of the others. Choose as many months as you want to share.</p></section>
      <section class="note" aria-labelledby="kept"><h2 id="kept">What happens with the file?</h2><p>The service reads it, and does not keep it. It stores the transactions of the accounts that you choose. It deletes all others when you finish or leave. If you only close this window, it deletes them after about a day.</p></section>"
    `)
    expect(await question(file, rejectedAt('file'), { item_id: 'item' })).toMatchInlineSnapshot(`
      "Send another file from Tidewater <Bank>
      <p>Larkspur &amp; Lending asks for newer transactions. Your connection and its accounts stay the same. What the file repeats is not added twice.</p>
      <p>Nothing is shared yet. First you see what the file holds. Then you choose the accounts to share.</p>
      <form method="post" action="/here?a=1&amp;b=2" enctype="multipart/form-data" novalidate>
      <input type="hidden" name="turn" value="3">
      <label for="file">File with your transactions</label>
      <p class="hint" id="file-hint">OFX, QFX, CAMT (XML), MT940 or CSV, 50 MB at most. Not PDF, and not a ZIP archive.</p>
      <p class="error" id="file-error">Something &lt;is&gt; wrong</p>
      <input id="file" name="file" type="file" accept=".xml,.sta"
      aria-describedby="file-hint file-error" aria-invalid="true">
      <button>Send the file</button>
      <p class="hint">If the upload breaks off, nothing is lost and nothing is shared. Load this page again, and send the whole file again.</p>
      </form>
      <section class="note" aria-labelledby="where"><h2 id="where">Where do I get this file?</h2><p>Log in at your bank. Open the account, and look for “Export”, “Download” or “Statements”. Choose one of the formats above. Take CSV only if your bank offers none of the others. Choose as many months as you want to share.</p></section>
      <section class="note" aria-labelledby="kept"><h2 id="kept">What happens with the file?</h2><p>The service reads it, and does not keep it. It stores the transactions of the accounts that you choose. It deletes all others when you finish or leave. If you only close this window, it deletes them after about a day.</p></section>"
    `)
  })

  test('a form, whose secrets are not shown again', async () => {
    const schema = {
      type: 'object',
      properties: {
        setup_token: { type: 'string', format: 'password', maxLength: 500 },
        color: { type: 'string' },
      },
      required: [],
    } as const
    const typed = { setup_token: 'secret', color: 'blue' }
    expect(await question({ kind: 'form', schema })).toMatchInlineSnapshot(`
      "Connect to Tidewater <Bank>
      <p>SimpleFIN is a service of another provider. It connects to your bank for you, and passes on what it reads. You need an account there, which may cost a fee. Your bank password is never entered on this page.</p>
      <form method="post" action="/here?a=1&amp;b=2" novalidate>
      <input type="hidden" name="turn" value="3">
      <label for="setup_token">Setup token</label>
      <p class="hint" id="setup_token-hint">A long line of letters and digits, which works once.</p>
      <input id="setup_token" name="setup_token" type="password" autocomplete="off" value=""
      autocapitalize="none" spellcheck="false" maxlength="500" aria-describedby="setup_token-hint">
      <label for="color">color</label>
      <input id="color" name="color" type="text" autocomplete="off" value=""
      autocapitalize="none" spellcheck="false" maxlength="200">
      <button>Continue</button>
      </form>
      <section class="note" aria-labelledby="where"><h2 id="where">Where do I get a setup token?</h2><ol><li>Connect your bank there, if you have not yet.</li><li>Create a new connection for an app. You see the setup token.</li><li>Copy the token, and paste it on this page.</li></ol></section><section class="note" aria-labelledby="reads"><h2 id="reads">What can this service read then?</h2><p>The names, balances and transactions of the accounts that you connected there. It cannot move money. On the next pages you choose what to share with Larkspur &amp; Lending. You can end the access on the website of SimpleFIN at any time.</p></section>"
    `)
    const again = await question({ kind: 'form', schema }, rejectedAt('color', typed), {
      item_id: 'item',
    })
    expect(again).toMatchInlineSnapshot(`
      "Connect to Tidewater <Bank> again
      <p>Larkspur &amp; Lending can no longer read your accounts, or asks you to confirm the connection. Your connection and its accounts stay the same.</p>
      <p>SimpleFIN is a service of another provider. It connects to your bank for you, and passes on what it reads. You need an account there, which may cost a fee. Your bank password is never entered on this page.</p>
      <form method="post" action="/here?a=1&amp;b=2" novalidate>
      <input type="hidden" name="turn" value="3">
      <label for="setup_token">Setup token</label>
      <p class="hint" id="setup_token-hint">A long line of letters and digits, which works once.</p>
      <input id="setup_token" name="setup_token" type="password" autocomplete="off" value=""
      autocapitalize="none" spellcheck="false" maxlength="500" aria-describedby="setup_token-hint">
      <label for="color">color</label>
      <p class="error" id="color-error">Something &lt;is&gt; wrong</p>
      <input id="color" name="color" type="text" autocomplete="off" value="blue"
      autocapitalize="none" spellcheck="false" maxlength="200" aria-invalid="true" aria-describedby="color-error">
      <button>Continue</button>
      </form>
      <section class="note" aria-labelledby="where"><h2 id="where">Where do I get a setup token?</h2><ol><li>Connect your bank there, if you have not yet.</li><li>Create a new connection for an app. You see the setup token.</li><li>Copy the token, and paste it on this page.</li></ol></section><section class="note" aria-labelledby="reads"><h2 id="reads">What can this service read then?</h2><p>The names, balances and transactions of the accounts that you connected there. It cannot move money. On the next pages you choose what to share with Larkspur &amp; Lending. You can end the access on the website of SimpleFIN at any time.</p></section>"
    `)
  })

  test('another page, and a wait', async () => {
    const url = 'https://bank.example.com/?a=1&b=2'
    expect(await question({ kind: 'redirect', url, state: 's' })).toMatchInlineSnapshot(`
      "Connect to Tidewater <Bank>
      <p>You continue on the website of your institution, and come back here afterwards.</p>
      <p><a class="button" id="main" href="https://bank.example.com/?a=1&amp;b=2" rel="noreferrer">Continue at my institution</a></p>"
    `)
    const { wait, look, outage, tryAgain, setup } = en.connect
    const cases = [
      [{}, wait, look],
      [{ isOutage: true }, outage, tryAgain],
      [{ isSetup: true }, setup, en.shared.continue],
    ] as const
    for (const [reason, text, button] of cases) {
      const waiting = await question({ kind: 'wait', pollMs: 1, ...reason })
      expect(waiting).toContain(`<p>${text}</p>`)
      expect(waiting).toContain(`>${button}</button>`)
    }
  })
})

describe('what a source does not tell', () => {
  const accounts = [
    account('0', {
      name: null,
      kind: null,
      told: { rows: 2, from: '2026-01-05', to: '2026-02-06' },
      lacksNumber: true,
      lacksCurrency: true,
      lacksBalance: true,
    }),
    account('1', {
      name: null,
      mask: null,
      lacksBalance: true,
      told: { rows: 0, from: null, to: null },
    }),
    account('2'),
    account('3', { kind: null, isKnown: true }),
    account('4', { kind: null, barrier: 'unsupportedCurrency' }),
  ]

  test('is asked for, account by account', async () => {
    const notes = [{ line: 7, code: 'INVALID_VALUE', lost: false }]
    const visit = visitOf('production', { more: connected(accounts, { notes }) })
    expect(await viewOf(details.view(visit))).toMatchInlineSnapshot(`
      "About your accounts
      <section class="note" aria-labelledby="notes">
      <h2 id="notes">About your file</h2>
      <ul><li>Line 7: something cannot be read.</li></ul>
      </section>
      <p>The data from your bank does not say everything. Please fill in what is missing.</p>
      <form method="post" action="/here?a=1&amp;b=2" novalidate>
      <input type="hidden" name="turn" value="3">
      <fieldset class="about">
      <legend>Account ending in 1234</legend>
      <p class="told">2 transactions, Jan 5, 2026 to Feb 6, 2026</p>
      <label for="kind-0">What kind of account is it?</label>
      <select id="kind-0" name="kind-0">
      <option value="">Choose</option>
      <option value="checking">Checking account (current account)</option><option value="savings">Savings account</option><option value="card">Credit card</option><option value="market">Money market account</option><option value="cash">Cash management account</option><option value="prepaid">Prepaid card</option><option value="term">Fixed-term deposit</option>
      <option value="none">None of these: do not share it</option>
      </select>
      <label for="number-0">Number of the account</label>
      <p class="hint" id="number-0-hint">The IBAN, the account number, or its last four digits. It matches your next file to this account.</p>
      <input id="number-0" name="number-0" type="text" autocomplete="off" value=""
      autocapitalize="none" spellcheck="false" maxlength="200" aria-describedby="number-0-hint">
      <label for="currency-0">Currency</label>
      <p class="hint" id="currency-0-hint">Three letters, such as EUR or USD</p>
      <input id="currency-0" name="currency-0" type="text" autocomplete="off" value=""
      autocapitalize="none" spellcheck="false" maxlength="200" aria-describedby="currency-0-hint">
      <label for="balance-0">Balance today, in EUR</label>
      <p class="hint" id="balance-0-hint">If you owe money, begin with a minus sign. Examples: 1250.40 and -310.25</p>
      <input id="balance-0" name="balance-0" type="text" autocomplete="off" value=""
      autocapitalize="none" spellcheck="false" maxlength="200" aria-describedby="balance-0-hint">
      </fieldset><fieldset class="about">
      <legend>Checking account</legend>
      <p class="told">0 transactions</p>
      <label for="balance-1">Balance today, in EUR</label>
      <p class="hint" id="balance-1-hint">If you owe money, begin with a minus sign. Examples: 1250.40 and -310.25</p>
      <input id="balance-1" name="balance-1" type="text" autocomplete="off" value=""
      autocapitalize="none" spellcheck="false" maxlength="200" aria-describedby="balance-1-hint">
      </fieldset>
      <button>Continue</button>
      </form>"
    `)
  })

  test('is shown again as it was typed', async () => {
    const typed = { 'kind-0': 'savings', 'number-0': '12', 'currency-0': 'x', 'balance-0': '1,5' }
    const visit = visitOf('production', { more: connected(accounts.slice(0, 1)) })
    expect(await viewOf(details.view(visit, rejectedAt('kind-0', typed)))).toMatchInlineSnapshot(`
      "About your account
      <p>The data from your bank does not say everything. Please fill in what is missing.</p>
      <form method="post" action="/here?a=1&amp;b=2" novalidate>
      <input type="hidden" name="turn" value="3">
      <fieldset class="about">
      <legend>Account ending in 1234</legend>
      <p class="told">2 transactions, Jan 5, 2026 to Feb 6, 2026</p>
      <label for="kind-0">What kind of account is it?</label>
      <p class="error" id="kind-0-error">Something &lt;is&gt; wrong</p>
      <select id="kind-0" name="kind-0" aria-invalid="true" aria-describedby="kind-0-error">
      <option value="">Choose</option>
      <option value="checking">Checking account (current account)</option><option value="savings" selected>Savings account</option><option value="card">Credit card</option><option value="market">Money market account</option><option value="cash">Cash management account</option><option value="prepaid">Prepaid card</option><option value="term">Fixed-term deposit</option>
      <option value="none">None of these: do not share it</option>
      </select>
      <label for="number-0">Number of the account</label>
      <p class="hint" id="number-0-hint">The IBAN, the account number, or its last four digits. It matches your next file to this account.</p>
      <input id="number-0" name="number-0" type="text" autocomplete="off" value="12"
      autocapitalize="none" spellcheck="false" maxlength="200" aria-describedby="number-0-hint">
      <label for="currency-0">Currency</label>
      <p class="hint" id="currency-0-hint">Three letters, such as EUR or USD</p>
      <input id="currency-0" name="currency-0" type="text" autocomplete="off" value="x"
      autocapitalize="none" spellcheck="false" maxlength="200" aria-describedby="currency-0-hint">
      <label for="balance-0">Balance today, in EUR</label>
      <p class="hint" id="balance-0-hint">If you owe money, begin with a minus sign. Examples: 1250.40 and -310.25</p>
      <input id="balance-0" name="balance-0" type="text" autocomplete="off" value="1,5"
      autocapitalize="none" spellcheck="false" maxlength="200" aria-describedby="balance-0-hint">
      </fieldset>
      <button>Continue</button>
      </form>"
    `)
    const answered = { 0: { kind: { type: 'credit', subtype: 'credit card' } } }
    const before = visitOf('production', { more: connected(accounts.slice(0, 1), {}, answered) })
    expect(await viewOf(details.view(before))).toContain('<option value="card" selected>')
  })

  const send = (fields: Record<string, string>, open = accounts) =>
    details.answer(visitOf('production', { more: connected(open) }), new URLSearchParams(fields))
  const all = {
    'kind-0': 'checking',
    'number-0': ' de12-3456 ',
    'currency-0': ' eur ',
    'balance-0': '1.50',
    'balance-1': '-2',
  }

  test('is taken as it was meant', async () => {
    const outcome = await send(all)
    expect(outcome).toMatchObject({
      to: 'share',
      connection: {
        kinds: {
          0: { kind: checking, number: 'DE123456', currency: 'EUR', balance: 150 },
          1: { balance: -200 },
        },
      },
    })
    expect(Object.keys((outcome as never)['connection']['kinds'])).toEqual(['0', '1'])
  })

  test.each([
    ['kind-0', ''],
    ['kind-0', 'toString'],
    ['number-0', '123'],
    ['number-0', '12345_'],
    ['number-0', 'A'.repeat(35)],
    ['currency-0', 'EURO'],
    ['currency-0', 'EU'],
    ['currency-0', 'XXX'],
    ['balance-0', ''],
    ['balance-1', 'much'],
  ])('is rejected by its field: %s "%s"', async (field, value) => {
    const outcome = await send({ ...all, [field]: value })
    expect(outcome).toMatchObject({ errors: [{ field }] })
    expect((outcome as never)['errors']).toHaveLength(1)
  })

  test('names each field that is missing', async () => {
    const outcome = await send({})
    const fields = ['kind-0', 'number-0', 'currency-0', 'balance-0', 'balance-1']
    expect(outcome).toMatchObject({ errors: fields.map((field) => ({ field })) })
  })

  test('is not asked of an account that is not shared', async () => {
    expect(await send({ 'kind-0': 'none', 'balance-1': '2' })).toMatchObject({
      to: 'share',
      connection: { kinds: { 0: {}, 1: { balance: 200 } } },
    })
    expect(await send({ 'kind-0': 'none' }, accounts.slice(0, 1))).toMatchObject({
      errors: [{ field: 'kind-0', text: en.rejections.noAccounts }],
    })
  })
})

describe('the accounts of a source', () => {
  const loan = { type: 'loan', subtype: 'student' } as const
  const accounts = [
    account('0', { told: { rows: 1, from: '2026-01-05', to: '2026-01-05' } }),
    account('1', { isKnown: true }),
    account('2', { kind: null }),
    account('3', { kind: loan }),
    account('4', { barrier: 'unsupportedCurrency' }),
  ]
  const filters = { account_filters: '{"depository":{"account_subtypes":["all"]}}' }

  test('can be chosen, and those that cannot are told with the reason', async () => {
    const notes = Array.from({ length: 11 }, (_, line) => ({
      line,
      code: 'UNKNOWN',
      lost: line > 9,
    }))
    const more = connected(accounts, { notes, moreNotes: 3 })
    const visit = visitOf('production', { token: filters, more })
    expect(await viewOf(share.view(visit, rejectedAt('account-0')))).toMatchInlineSnapshot(`
      "Choose the accounts to share
      <section class="note" aria-labelledby="notes">
      <h2 id="notes">A part of the file could not be read</h2>
      <ul><li>Line 0: something cannot be read.</li><li>Line 1: something cannot be read.</li><li>Line 2: something cannot be read.</li><li>Line 3: something cannot be read.</li><li>Line 4: something cannot be read.</li><li>Line 5: something cannot be read.</li><li>Line 6: something cannot be read.</li><li>Line 7: something cannot be read.</li><li>Line 8: something cannot be read.</li><li>Line 9: something cannot be read.</li></ul>
      <p>And 4 more.</p>
      <p>Go back and send another file, such as one in another format. Or continue with what could be read.</p>
      </section>
      <p id="intro">Larkspur &amp; Lending can read only those that you choose.</p>
      <form method="post" action="/here?a=1&amp;b=2" novalidate>
      <input type="hidden" name="turn" value="3">
      <fieldset aria-describedby="intro account-error">
      <legend class="hidden">Choose the accounts to share</legend>
      <p class="error" id="account-error">Something &lt;is&gt; wrong</p>
      <ul class="plain"><li><label class="account" for="account-0">
      <input id="account-0" type="checkbox" name="account" value="0">
      <span><strong>Giro, ending in 1234</strong>
      <small>bank account</small><p class="told">1 transaction, Jan 5, 2026</p>
      </span>
      </label></li><li><span><strong>Giro, ending in 1234</strong>
      <small>bank account</small>
      <small>Already connected</small></span></li></ul>
      </fieldset>
      <section class="note" aria-labelledby="others">
      <h2 id="others">These accounts are not shared</h2>
      <ul><li>Giro, ending in 1234: you chose not to share it</li><li>Giro, ending in 1234: accounts of this kind were not asked for</li><li>Giro, ending in 1234: its currency is not supported</li></ul>
      </section>
      <button>Connect these accounts</button>
      </form>"
    `)
  })

  test('are told where the Item has all of them, and the only new one is chosen', async () => {
    const notes = [{ code: 'BALANCE_MISMATCH', lost: false }]
    const item = { item_id: 'item' }
    const known = visitOf('production', {
      token: item,
      more: connected(accounts.slice(1, 2), { notes }),
    })
    expect(await viewOf(share.view(known))).toMatchInlineSnapshot(`
      "Check what the file holds
      <section class="note" aria-labelledby="notes">
      <h2 id="notes">About your file</h2>
      <ul><li>the balances and the transactions do not fit together.</li></ul>
      </section>
      <p id="intro">The transactions are added to these accounts:</p>
      <form method="post" action="/here?a=1&amp;b=2" novalidate>
      <input type="hidden" name="turn" value="3">
      <fieldset aria-describedby="intro">
      <legend class="hidden">Check what the file holds</legend>
      <ul class="plain"><li><span><strong>Giro, ending in 1234</strong>
      <small>bank account</small>
      <small>Already connected</small></span></li></ul>
      </fieldset>
      <button>Update the connection</button>
      </form>"
    `)
    const only = visitOf('production', { more: connected(accounts.slice(0, 1)) })
    expect(await viewOf(share.view(only))).toContain('value="0" checked>')
  })

  test('needs one', async () => {
    const without = visitOf('production', { more: connected(accounts.toSpliced(1, 1)) })
    expect(await share.answer(without, new URLSearchParams({ account: '2' }))).toEqual({
      errors: [{ field: 'account-0', text: en.accounts.none }],
    })
  })
})
