import { describe, expect, test } from 'vitest'
import { endPage, leavePage } from '../../src/server/hosted/end-page.ts'
import { showStep } from '../../src/server/hosted/show-step.ts'
import { en } from '../../src/server/hosted/texts/en.ts'
import type { Visit } from '../../src/server/hosted/visit.ts'
import { bank, linesOf, mainOf, offered, rejectedAt, visitOf } from '../support/hosted-visit.ts'

// The markup that browsers get. After a change of a page, look at what this command changes here:
// npx vitest run --update test/server/hosted-views.test.ts

describe('the page of a question', () => {
  test('has a title, a banner in the sandbox, progress and ways back and out', async () => {
    const page = await showStep(visitOf('sandbox'), 'login')
    expect(linesOf(page.replace(/<h1>.*(?=<nav)/s, ''))).toMatchInlineSnapshot(`
      "<!doctype html>
      <html lang="en">
      <head>
      <meta charset="utf-8">
      <meta name="viewport" content="width=device-width, initial-scale=1">
      <meta name="color-scheme" content="light dark">
      <meta name="robots" content="noindex">
      <title>Log in at Tidewater &lt;Bank&gt;</title>
      <link rel="icon" href="data:,">
      <link rel="stylesheet" href="/hosted/style-hash.css">
      </head>
      <body>
      <header class="banner"><p><strong>This is a sandbox.</strong> Nothing here is real. Do not enter a real name, password or code.</p></header>
      <main>
      <p class="progress">Step 3 of 4
      <progress value="3" max="4" aria-hidden="true"></progress></p>
      <nav class="ways"><ul>
      <li><a href="/hosted/link/session/s%2F1/institution">Back</a></li>
      <li><a href="/hosted/link/session/s%2F1/leave">Leave without connecting</a></li>
      </ul></nav>
      </main>
      <footer><p>The service at pages.example.com runs this page for Larkspur &amp; Lending. It stores the data of the accounts that you share, and gives it to Larkspur &amp; Lending.</p></footer>
      </body>
      </html>"
    `)
  })

  test('tells the errors first, with a link to each field', async () => {
    const page = await showStep(visitOf('production'), 'consent', rejectedAt('q'))
    expect(linesOf(page.replace(/<h1>.*(?=<nav)/s, ''))).toMatchInlineSnapshot(`
      "<!doctype html>
      <html lang="en">
      <head>
      <meta charset="utf-8">
      <meta name="viewport" content="width=device-width, initial-scale=1">
      <meta name="color-scheme" content="light dark">
      <meta name="robots" content="noindex">
      <title>Error: Connect your accounts with Larkspur &amp; Lending</title>
      <link rel="icon" href="data:,">
      <link rel="stylesheet" href="/hosted/style-hash.css">
      </head>
      <body>
      <main>
      <p class="progress">Step 1 of 4
      <progress value="1" max="4" aria-hidden="true"></progress></p>
      <div class="errors" role="alert" tabindex="-1" autofocus aria-labelledby="problem">
      <h2 id="problem">There is a problem</h2>
      <ul><li><a href="#q">Something &lt;is&gt; wrong</a></li></ul>
      <nav class="ways"><ul>
      <li><a href="/hosted/link/session/s%2F1/leave">Leave without connecting</a></li>
      </ul></nav>
      </main>
      <footer><p>The service at pages.example.com runs this page for Larkspur &amp; Lending. It stores the data of the accounts that you share, and gives it to Larkspur &amp; Lending.</p></footer>
      </body>
      </html>"
    `)
  })

  test('of update mode lets the user leave without a change', async () => {
    const page = await showStep(visitOf('sandbox', { token: { item_id: 'item' } }), 'login')
    expect(page).toContain(`/leave">${en.leaving.linkAgain}</a>`)
    expect(page).not.toContain(en.shared.leave)
  })

  test('tells its session to the window of the address that users return to', async () => {
    const redirect_uri = 'https://lender.example.com/linked'
    const session = { results: '{"item_add_results":[]}', events: '[]', finished_at: null }
    const visit = visitOf('sandbox', { token: { redirect_uri }, session })
    expect(await showStep(visit, 'consent')).toMatch(
      /<script src="\/hosted\/teller-[0-9a-f]{16}\.js" defer><\/script>\n<\/head>\n<body data-origin="https:\/\/lender\.example\.com" data-session="\{&quot;link_session_id&quot;:&quot;s\/1&quot;/,
    )
    for (const elsewhere of ['app.example:/linked', null]) {
      const app = visitOf('sandbox', { token: { redirect_uri: elsewhere }, session })
      expect(await showStep(app, 'consent')).toMatch(/\.css">\s*<\/head>\s*<body>/)
    }
  })
})

describe('the questions of the sandbox', () => {
  test('consent: what is read, and until when', async () => {
    const optional = { optional_products: '["identity"]' }
    expect(
      mainOf(await showStep(visitOf('sandbox', { token: optional }), 'consent')),
    ).toMatchInlineSnapshot(`
      "<h1>Connect your accounts with Larkspur &amp; Lending</h1>
      <p>Larkspur &amp; Lending asks to read this data of the accounts that you choose:</p>
      <ul><li>transactions</li><li>account and routing numbers</li></ul>
      <p>And this data, if your institution offers it:</p><ul><li>name, address, email address and phone number of the account holder</li></ul>
      <h2>For how long?</h2>
      <p>Until you end the connection. You can ask Larkspur &amp; Lending to do so at any time. Transactions go back up to 90 days.</p>
      <form method="post" action="/here?a=1&amp;b=2" novalidate>
      <input type="hidden" name="turn" value="3">
      <button>Agree and continue</button>
      </form>"
    `)
    const without = await showStep(
      visitOf('sandbox', { token: { products: '["auth"]' } }),
      'consent',
    )
    expect(mainOf(without)).toMatchInlineSnapshot(`
      "<h1>Connect your accounts with Larkspur &amp; Lending</h1>
      <p>Larkspur &amp; Lending asks to read this data of the accounts that you choose:</p>
      <ul><li>account and routing numbers</li></ul>
      <h2>For how long?</h2>
      <p>Until you end the connection. You can ask Larkspur &amp; Lending to do so at any time. </p>
      <form method="post" action="/here?a=1&amp;b=2" novalidate>
      <input type="hidden" name="turn" value="3">
      <button>Agree and continue</button>
      </form>"
    `)
  })

  test('consent: not asked where no institution offers what the application asks for', async () => {
    const visit = visitOf('sandbox')
    const none = { singleton: () => ({ search: async () => [] }) }
    const ctx = { ...visit.ctx, ...none } as never
    const page = await showStep({ ...visit, ctx }, 'consent')
    expect(page).toContain(`<h1>${en.impossible.title}</h1>`)
    expect(page).not.toContain(en.consent.agree)
    const named = visitOf('sandbox', { token: { institution_id: 'ins_1' } })
    expect(await showStep({ ...named, ctx }, 'consent')).toContain(en.consent.agree)
  })

  test('login: two fields, of which only the name is shown again', async () => {
    expect(mainOf(await showStep(visitOf('sandbox'), 'login'))).toMatchInlineSnapshot(`
      "<h1>Log in at Tidewater &lt;Bank&gt;</h1>
      <section class="note" aria-labelledby="logins">
      <h2 id="logins">User names of the sandbox</h2>
      <p>Use one of these, with any password:</p>
      <dl><dt>user_good</dt><dd>the login succeeds</dd><dt>user_mfa</dt><dd>the login asks for a one-time code first</dd><dt>user_bad</dt><dd>the password is wrong</dd><dt>user_locked</dt><dd>the institution has locked the user</dd><dt>user_expired</dt><dd>the password has expired</dd></dl>
      </section>
      <form method="post" action="/here?a=1&amp;b=2" novalidate>
      <input type="hidden" name="turn" value="3">
      <label for="username">User name</label>
      <input id="username" name="username" type="text" autocomplete="username" value=""
      autocapitalize="none" spellcheck="false" maxlength="200">
      <label for="password">Password</label>
      <input id="password" name="password" type="password" autocomplete="current-password" value=""
      autocapitalize="none" spellcheck="false" maxlength="200">
      <button>Log in</button>
      </form>"
    `)
    const rejected = rejectedAt('username', { username: '"me"', password: 'secret' })
    const again = visitOf('sandbox', { token: { item_id: 'item' }, more: { answers: {} } })
    const page = mainOf(await showStep(again, 'login', rejected))
    expect(page.replace(/<section.*<\/section>/s, '')).toMatchInlineSnapshot(`
      "<h1>Log in again at your institution</h1>
      <p>Larkspur &amp; Lending can no longer read your accounts, or asks you to confirm the connection. Your connection and its accounts stay the same.</p>

      <form method="post" action="/here?a=1&amp;b=2" novalidate>
      <input type="hidden" name="turn" value="3">
      <label for="username">User name</label>
      <p class="error" id="username-error">Something &lt;is&gt; wrong</p>
      <input id="username" name="username" type="text" autocomplete="username" value="&quot;me&quot;"
      autocapitalize="none" spellcheck="false" maxlength="200" aria-invalid="true" aria-describedby="username-error">
      <label for="password">Password</label>
      <input id="password" name="password" type="password" autocomplete="current-password" value=""
      autocapitalize="none" spellcheck="false" maxlength="200">
      <button>Log in</button>
      </form>"
    `)
  })

  test('code: a field for digits', async () => {
    expect(
      mainOf(await showStep(visitOf('sandbox'), 'code', rejectedAt('one-time-code'))),
    ).toMatchInlineSnapshot(`
      "<h1>Enter the one-time code</h1>
      <p>Tidewater &lt;Bank&gt; asks for a second proof that it is you.</p>
      <p class="note">In the sandbox the code is 1234.</p>
      <form method="post" action="/here?a=1&amp;b=2" novalidate>
      <input type="hidden" name="turn" value="3">
      <label for="one-time-code">One-time code</label>
      <p class="error" id="one-time-code-error">Something &lt;is&gt; wrong</p>
      <input id="one-time-code" name="one-time-code" type="text" autocomplete="one-time-code" value=""
      autocapitalize="none" spellcheck="false" maxlength="200" inputmode="numeric" aria-invalid="true" aria-describedby="one-time-code-error">
      <button>Continue</button>
      </form>"
    `)
  })

  test('accounts: a checkbox each', async () => {
    expect(
      mainOf(await showStep(visitOf('sandbox'), 'accounts', rejectedAt('account-0'))),
    ).toMatchInlineSnapshot(`
      "<h1>Choose the accounts to share</h1>
      <p id="intro">Larkspur &amp; Lending can read only those that you choose.</p>
      <form method="post" action="/here?a=1&amp;b=2" novalidate>
      <input type="hidden" name="turn" value="3">
      <fieldset aria-describedby="intro account-error">
      <legend class="hidden">Choose the accounts to share</legend>
      <p class="error" id="account-error">Something &lt;is&gt; wrong</p>
      <ul class="plain"><li><label class="account" for="account-0">
      <input id="account-0" type="checkbox" name="account" value="0">
      <span><strong>Checking</strong> <small>bank account, ending in 0000</small></span>
      </label></li><li><label class="account" for="account-1">
      <input id="account-1" type="checkbox" name="account" value="1">
      <span><strong>Loan</strong> <small>loan</small></span>
      </label></li></ul>
      </fieldset>
      <button>Connect these accounts</button>
      </form>"
    `)
  })

  test('accounts: the only one is chosen', async () => {
    const listAccounts = async () => offered.slice(1)
    const visit = visitOf('sandbox', { more: { ways: { invented: { listAccounts } } } })
    expect(mainOf(await showStep(visit, 'accounts'))).toMatchInlineSnapshot(`
      "<h1>Choose the accounts to share</h1>
      <p id="intro">Larkspur &amp; Lending can read only those that you choose.</p>
      <form method="post" action="/here?a=1&amp;b=2" novalidate>
      <input type="hidden" name="turn" value="3">
      <fieldset aria-describedby="intro">
      <legend class="hidden">Choose the accounts to share</legend>
      <ul class="plain"><li><label class="account" for="account-1">
      <input id="account-1" type="checkbox" name="account" value="1" checked>
      <span><strong>Loan</strong> <small>loan</small></span>
      </label></li></ul>
      </fieldset>
      <button>Connect these accounts</button>
      </form>"
    `)
  })
})

describe('the end', () => {
  const institution = { ...bank, name: 'Tidewater' }
  const results = JSON.stringify({
    item_add_results: [
      {
        accounts: [
          { name: 'Giro', mask: '1234' },
          { name: 'Giro 5678', mask: '5678' },
        ],
        institution,
      },
      { accounts: [{ name: 'Card', mask: null }], institution: null },
    ],
  })
  const endOf = async (
    environment: 'sandbox' | 'production',
    status: 'SUCCESS' | 'EXITED',
    token: object = {},
  ) => {
    const { ctx, ...open } = visitOf(environment, { token, session: { status, results } })
    const page = (await endPage(ctx, open, en)) as { html: string }
    return linesOf(page.html.replace(/^.*<body/s, '<body'))
  }

  test('of a success tells what is shared', async () => {
    expect(await endOf('sandbox', 'SUCCESS')).toMatchInlineSnapshot(`
      "<body>
      <header class="banner"><p><strong>This is a sandbox.</strong> Nothing here is real. Do not enter a real name, password or code.</p></header>
      <main>
      <h1>Your accounts are connected</h1>
      <p>Larkspur &amp; Lending can now read these accounts at Tidewater:</p>
      <ul><li>Giro, ending in 1234</li><li>Giro 5678</li></ul>
      <p>Larkspur &amp; Lending can now read these accounts:</p>
      <ul><li>Card</li></ul><p>You can close this window.</p>
      </main>
      <footer><p>The service at pages.example.com runs this page for Larkspur &amp; Lending. It stores the data of the accounts that you share, and gives it to Larkspur &amp; Lending.</p></footer>
      </body>
      </html>"
    `)
  })

  test.each([['sandbox' as const], ['production' as const]])(
    'of an update in %s',
    async (environment) => {
      const words = {
        sandbox: [en.done.titleAgain, en.done.textAgain],
        production: [en.done.titleUpdated, en.done.textUpdated],
      }
      const [title, text] = words[environment] as [string, (name: string) => string]
      const page = await endOf(environment, 'SUCCESS', { item_id: 'item' })
      expect(page).toContain(`<h1>${title}</h1>\n<p>${text('Larkspur &amp; Lending')}</p>`)
      expect(page.includes('class="banner"')).toBe(environment === 'sandbox')
    },
  )

  test('of a user who left', async () => {
    const { left } = en
    expect(await endOf('production', 'EXITED')).toContain(
      `<p>${left.text('Larkspur &amp; Lending')} ${left.again}</p>`,
    )
    expect(await endOf('production', 'EXITED', { item_id: 'item' })).toContain(
      `<p>${left.textAgain} ${left.again}</p>`,
    )
  })

  test('leads back to the application', async () => {
    const page = await endOf('production', 'EXITED', { redirect_uri: 'app.example:/linked?a&b' })
    expect(page).toContain(
      '<p><a class="button" href="app.example:/linked?a&amp;b">Return to Larkspur &amp; Lending</a></p>',
    )
  })

  test('is asked about before', () => {
    const page = (visit: Visit) =>
      linesOf((leavePage(visit) as { html: string }).html.replace(/^.*<body/s, '<body'))
    expect(page(visitOf('sandbox'))).toMatchInlineSnapshot(`
      "<body>
      <header class="banner"><p><strong>This is a sandbox.</strong> Nothing here is real. Do not enter a real name, password or code.</p></header>
      <main>
      <h1>Do you want to leave?</h1>
      <p>Nothing is connected, and Larkspur &amp; Lending gets no data.</p>
      <p><a class="button" href="/hosted/link/session/s%2F1/login">No, go back</a></p>
      <form method="post" action="/here?a=1&amp;b=2" novalidate>
      <input type="hidden" name="turn" value="3">
      <button class="second">Leave</button>
      </form>
      </main>
      <footer><p>The service at pages.example.com runs this page for Larkspur &amp; Lending. It stores the data of the accounts that you share, and gives it to Larkspur &amp; Lending.</p></footer>
      </body>
      </html>"
    `)
    const again = page(visitOf('production', { token: { item_id: 'item' } }))
    expect(again).toContain(`<p>${en.left.textAgain}</p>`)
    expect(again).not.toContain('class="banner"')
  })
})
