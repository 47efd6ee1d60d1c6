import type { Term } from './glossary.ts'

/** Our terms. Texts that the contract has are named by their field or area, and not repeated. */
export const terms: readonly Term[] = [
  {
    name: 'Access token',
    meaning:
      'Names one Item in requests. Your server gets it in exchange for a public token, and stores it like a password.',
    page: 'guides/credentials-and-tokens/#the-access-token-of-an-item',
  },
  {
    name: 'Asset report',
    also: ['statement', 'underwriting'],
    meaning: { area: 'asset-reports' },
    page: 'guides/asset-reports/',
  },
  {
    name: 'Credentials',
    also: ['authentication', 'auth', 'authenticate', 'login', 'apikey', 'password', 'unauthorized'],
    meaning:
      'The client id and the secret of a caller. Send them as headers with every request, or in the request body.',
    page: 'guides/credentials-and-tokens/',
  },
  {
    name: 'Cursor',
    also: ['checkpoint', 'bookmark'],
    meaning: { field: 'TransactionsSyncRequest.cursor' },
    page: 'guides/keep-a-copy/',
  },
  {
    name: 'E-wallet',
    also: ['balance account'],
    meaning: { area: 'wallets' },
    page: 'guides/move-money/#wallets',
  },
  {
    name: 'Idempotency',
    also: ['idempotent', 'duplicate', 'deduplication'],
    meaning:
      'A repeated request has the same result as the first. The page of each operation says whether a repetition is safe.',
    page: 'guides/call-it/#retries',
  },
  {
    name: 'Identity verification',
    also: ['kyc'],
    meaning: { area: 'identity-verification' },
    page: 'guides/verify-identities/',
  },
  {
    name: 'Institution',
    also: ['bank', 'provider'],
    meaning: 'A bank or another company that holds accounts of your users.',
    page: 'operations/institutionsSearch/',
  },
  {
    name: 'Item',
    also: ['connection', 'link', 'linking'],
    meaning: "One user's connection to one institution, with the accounts that the user shared.",
    page: 'guides/quick-start/',
  },
  {
    name: 'Mock',
    also: ['stub', 'fake', 'simulator'],
    meaning:
      'A server that answers with the examples of the contract. It stores nothing and needs no credentials of its own.',
    page: 'guides/use-the-mock/',
  },
  {
    name: 'Pagination',
    also: ['paging', 'pages', 'page', 'lists', 'offset'],
    meaning:
      'A long list comes in several responses. A cursor or an offset says where the next one starts.',
    page: 'overview/#pages',
  },
  {
    name: 'Public token',
    meaning:
      'Stands for a new Item until your server exchanges it for an access token. It works once.',
    page: 'guides/credentials-and-tokens/#the-access-token-of-an-item',
  },
  {
    name: 'Rate limit',
    also: ['throttling', 'throttle', 'quota', '429'],
    meaning:
      'The number of requests that an operation accepts in a period. Further requests fail with 429.',
    page: 'guides/run-the-service/#rate-limits',
  },
  {
    name: 'Retry',
    also: ['retries', 'backoff', 'resend', 'repeat'],
    meaning:
      'The same request again, after an error or a lost response. The page of each error says whether a retry can succeed.',
    page: 'guides/call-it/#retries',
  },
  {
    name: 'Sandbox',
    also: ['testing', 'playground', 'staging'],
    meaning:
      'The service with invented users and accounts. Further endpoints change its data, its clock and its errors.',
    page: 'guides/test-with-it/',
  },
  {
    name: 'Seed data',
    also: ['fixture', 'fixtures', 'world'],
    meaning: 'The clients, users, institutions and Items that a sandbox has at its start.',
    page: 'guides/seed-data/',
  },
  {
    name: 'Sync',
    also: ['polling', 'poll', 'delta', 'incremental'],
    meaning:
      'Read what changed since the last call, with a cursor. A webhook says when there is something to read, so that you need not poll.',
    page: 'guides/keep-a-copy/',
  },
  {
    name: 'Transfer',
    also: ['payment', 'payout', 'ach', 'wire'],
    meaning: { area: 'transfers' },
    page: 'guides/move-money/',
  },
  {
    name: 'Version',
    also: ['versioning', 'deprecation', 'upgrade', 'migration'],
    meaning:
      'A dated form of the interface. A header of the request names it, and older versions stay available.',
    page: 'guides/move-between-versions/',
  },
  {
    name: 'Webhook',
    also: ['callback', 'notification', 'push', 'event'],
    meaning: 'A signed request that the service sends to your server when something happened.',
    page: 'guides/receive-webhooks/',
  },
]
