import type { InventedLogins } from '../../src/server/hosted/invented-logins.ts'
import { en } from '../../src/server/hosted/texts/en.ts'
import type { Rejected, View, Visit } from '../../src/server/hosted/visit.ts'
import type { FoundAccount } from '../../src/server/sources/connector.ts'

export const bank = { institution_id: 'ins_1', name: 'Tidewater <Bank>' }

/** The accounts of the invented login. */
export const offered = [
  { place: 0, name: 'Checking', mask: '0000', type: 'depository', subtype: 'checking' },
  { place: 1, name: 'Loan', mask: null, type: 'loan', subtype: 'student' },
]

/** A request for a page, as the pages see it. */
export function visitOf(
  environment: 'sandbox' | 'production',
  changes: { token?: object; session?: object; more?: object } = {},
): Visit {
  const invented: Partial<InventedLogins> = {
    websiteOf: () => undefined,
    code: '1234',
    listAccounts: async () => offered as never,
  }
  return {
    ctx: {
      settings: { environment },
      publicUrl: 'https://pages.example.com',
      // Some institution offers what the link token asks for.
      singleton: () => ({ search: async () => [JSON.stringify(bank)] }),
      keys: { decrypt: (text: string) => text },
    },
    ways: { invented, connectors: {} },
    token: {
      environment,
      client_name: 'Larkspur & Lending',
      item_id: null,
      institution_id: null,
      country_codes: '["US"]',
      products: '["transactions","auth"]',
      optional_products: '[]',
      days_requested: 90,
      redirect_uri: null,
      account_filters: null,
      ...changes.token,
    },
    session: {
      link_session_id: 's/1',
      turn: 3,
      step: 'login',
      status: null,
      results: null,
      ...changes.session,
    },
    answers: { institution: bank, seed: 'seed', at: '2026-03-16T12:00:00Z' },
    connection: {},
    texts: en,
    query: new URLSearchParams(),
    address: '/here?a=1&b=2',
    ...changes.more,
  } as unknown as Visit
}

export const rejectedAt = (field: string, form: Record<string, string> = {}): Rejected => ({
  errors: [{ field, text: 'Something <is> wrong' }],
  form: new URLSearchParams(form),
})

/** The lines of some markup that are not empty, without what is there for the style. */
export const linesOf = (html: string): string =>
  html
    .replaceAll(/-[0-9a-f]{16}\./g, '-hash.')
    .replaceAll(/<div class="[\w ]*">|<\/div>/g, '')
    .split('\n')
    .map((line) => line.trim())
    .filter(Boolean)
    .join('\n')

/** What is shown between the progress and the way out. */
export const mainOf = (html: string): string => linesOf(/<h1>.*(?=<nav)/s.exec(html)?.[0] ?? html)
export const viewOf = async (view: View | Promise<View>): Promise<string> => {
  const { title, content } = await view
  return linesOf(`${title}\n${content.html}`)
}

export const checking = { type: 'depository', subtype: 'checking' } as const
export const account = (id: string, more: Partial<FoundAccount> = {}): FoundAccount => ({
  id,
  name: 'Giro',
  mask: '1234',
  currency: 'EUR',
  kind: checking,
  lacksBalance: false,
  ...more,
})
export const connected = (accounts: FoundAccount[], done: object = {}, kinds: object = {}) => ({
  connection: { done: { connector: 'file', secret: null, accounts, ...done }, kinds },
})
