/** Path, code and message of an issue. */
export type Row = [path: string, code: string, message: string]

export const token = 'access-sandbox-00000000-0000-4000-8000-000000000001'
const required = 'is required'
const isNull = 'must not be null'
const unknown = 'is not a field of this request'
const address = { street: '1 Mill St', city: 'Larkspur Falls', region: 'OR', country: 'US' }
const verify = {
  is_shareable: true,
  template_id: 'idvtmp_1',
  gave_consent: true,
  client_user_id: 'b-7',
}
const migrate = { routing_number: '021000021', account_type: 'checking' }
const exchange = {
  grant_type: 'urn:ietf:params:oauth:grant-type:token-exchange',
  subject_token: 'user-1',
  subject_token_type: 'urn:service:params:tokens:user',
}

export const cases: [operationId: string, body: unknown, expected: Row[]][] = [
  // What is missing: absent, or null where null is no value.
  ['accountsGet', {}, [['access_token', 'MISSING_FIELDS', required]]],
  ['accountsGet', { access_token: null }, [['access_token', 'MISSING_FIELDS', isNull]]],
  [
    'protectEventSend',
    { event: { app_visit: {} } },
    [['event.timestamp', 'MISSING_FIELDS', required]],
  ],
  [
    'userCreate',
    { client_user_id: 'b-7', identity: { emails: ['a@b.example', { primary: true }] } },
    [['identity.emails[1].data', 'MISSING_FIELDS', required]],
  ],
  [
    'transferMigrateAccount',
    { ...migrate, account_number: null },
    [['account_number', 'MISSING_FIELDS', isNull]],
  ],
  // What is unknown, at each level.
  [
    'accountsGet',
    { access_token: token, x: 1, options: { y: 2 } },
    [
      ['x', 'UNKNOWN_FIELDS', unknown],
      ['options.y', 'UNKNOWN_FIELDS', unknown],
    ],
  ],
  [
    'userCreate',
    {
      client_user_id: 'b-7',
      identity: { addresses: [{ country: 'US' }, { country: 'US', z: 1 }] },
    },
    [['identity.addresses[1].z', 'UNKNOWN_FIELDS', unknown]],
  ],
  // Codes of their own, where the contract gives one.
  [
    'accountsGet',
    { access_token: 'nonsense' },
    [
      [
        'access_token',
        'INVALID_ACCESS_TOKEN',
        'must be an access token, which starts with "access-" and the environment',
      ],
    ],
  ],
  [
    'accountsGet',
    { access_token: 7 },
    [
      [
        'access_token',
        'INVALID_FIELD',
        'must be a string: an access token, which starts with "access-" and the environment',
      ],
    ],
  ],
  [
    'accountsGet',
    { access_token: token, options: [] },
    [['options', 'INVALID_FIELD', 'must be an object (fields: `account_ids`)']],
  ],
  [
    'walletList',
    { cursor: '?' },
    [['cursor', 'INVALID_FIELD', 'must be the `next_cursor` of an earlier response, unchanged']],
  ],
  [
    'identityVerificationList',
    { template_id: 'idvtmp_1', user_id: { user_id: '7' } },
    [['user_id.user_id', 'INVALID_USER_ID', 'must be a user id, which starts with "usr_"']],
  ],
  [
    'transferMigrateAccount',
    { ...migrate, account_number: '12' },
    [['account_number', 'INVALID_ACCOUNT_NUMBER', 'must be an account number of 4 to 17 digits']],
  ],
  [
    'identityVerificationCreate',
    { ...verify, user: { address } },
    [['user.address.postal_code', 'INVALID_FIELD', required]],
  ],
  [
    'identityVerificationCreate',
    { ...verify, user: { address: {} } },
    [['user.address.country', 'INVALID_FIELD', required]],
  ],
  // The wording of each kind of refusal.
  [
    'accountsGet',
    [],
    [
      [
        '',
        'INVALID_FIELD',
        'must be an object (fields: `client_id`, `secret`, `access_token`, `options`)',
      ],
    ],
  ],
  [
    'accountsGet',
    { access_token: token, options: { account_ids: 1 } },
    [['options.account_ids', 'INVALID_FIELD', 'must be an array']],
  ],
  ['walletList', { count: '5' }, [['count', 'INVALID_FIELD', 'must be an integer']]],
  ['walletList', { count: 0 }, [['count', 'INVALID_FIELD', 'must be at least 1']]],
  ['walletList', { count: 21 }, [['count', 'INVALID_FIELD', 'must be at most 20']]],
  [
    'walletList',
    { iso_currency_code: 'XXX' },
    [['iso_currency_code', 'INVALID_FIELD', 'must be one of: GBP, EUR']],
  ],
  ['dashboardUserList', { cursor: 5 }, [['cursor', 'INVALID_FIELD', 'must be a string or null']]],
  [
    'dashboardUserList',
    { cursor: '' },
    [['cursor', 'INVALID_FIELD', 'must be at least 1 character long']],
  ],
  [
    'walletGet',
    { wallet_id: 'w'.repeat(129) },
    [['wallet_id', 'INVALID_FIELD', 'must be at most 128 characters long']],
  ],
  [
    'assetReportCreate',
    { access_tokens: [], days_requested: 61 },
    [['access_tokens', 'INVALID_FIELD', 'must hold at least 1 element']],
  ],
  [
    'assetReportCreate',
    { access_tokens: [token, token], days_requested: 61 },
    [['access_tokens', 'INVALID_FIELD', 'must not hold the same element twice']],
  ],
  [
    'institutionsSearch',
    { query: 'x', country_codes: new Array(101).fill('US') },
    [['country_codes', 'INVALID_FIELD', 'must hold at most 100 elements']],
  ],
  [
    'institutionsSearch',
    { query: 'x', country_codes: ['us'] },
    [
      [
        'country_codes[0]',
        'INVALID_FIELD',
        'must be one of: US, GB, ES, NL, FR, IE, CA, DE, IT, PL, DK, NO, SE, EE, LT, LV, PT, BE, AT, FI',
      ],
    ],
  ],
  [
    'protectEventSend',
    { event: { timestamp: '2026-03-16T14:05:09Z', app_visit: {}, ...many(1001) } },
    [['event', 'INVALID_FIELD', 'must hold at most 1000 entries']],
  ],
  [
    'transactionsGet',
    { access_token: token, start_date: '2026-02-30', end_date: '2026-03-16' },
    [['start_date', 'INVALID_FIELD', 'must be a calendar date in the form YYYY-MM-DD']],
  ],
  [
    'userCreate',
    { client_user_id: 'maren.talvik@example.com' },
    [
      [
        'client_user_id',
        'INVALID_FIELD',
        'must be 1 to 128 characters, and neither an e-mail address nor a phone number',
      ],
    ],
  ],
  [
    'protectEventSend',
    { event: { timestamp: '2026-03-16T14:05:09', app_visit: {} } },
    [
      [
        'event.timestamp',
        'INVALID_FIELD',
        'must be a date-time with an offset from UTC, such as 2026-03-16T14:05:09Z',
      ],
    ],
  ],
  [
    'identityVerificationCreate',
    { ...verify, user: { ip_address: '203.0.113.420' } },
    [['user.ip_address', 'INVALID_FIELD', 'must be an IPv4 or IPv6 address, such as 203.0.113.42']],
  ],
  // Rules between fields.
  ['transferGet', {}, [['', 'MISSING_FIELDS', 'must hold `transfer_id` or `authorization_id`']]],
  [
    'transferGet',
    { transfer_id: '1', authorization_id: '2' },
    [['', 'INVALID_FIELD', 'must hold only one of `transfer_id` and `authorization_id`']],
  ],
  [
    'protectEventSend',
    { event: { timestamp: '2026-03-16T14:05:09Z' } },
    [['event', 'INVALID_FIELD', 'must hold `app_visit`, `user_sign_in` or `user_sign_up`']],
  ],
  [
    'identityVerificationCreate',
    { ...verify, client_user_id: undefined },
    [['', 'MISSING_FIELDS', 'must hold `client_user_id` or `user_id`']],
  ],
  [
    'identityVerificationCreate',
    { ...verify, user_id: 'usr_1', user: {} },
    [['', 'INVALID_FIELD', 'cannot hold `user` and `user_id` together']],
  ],
  [
    'oauthToken',
    { ...exchange, audience: 'a,b' },
    [
      [
        'audience',
        'INVALID_FIELD',
        'must be one client id, since only the multi-user type takes partners and lists',
      ],
    ],
  ],
  ['oauthToken', exchange, [['audience', 'MISSING_FIELDS', required]]],
  [
    'identityVerificationCreate',
    { ...verify, user: { id_number: { type: 'us_ssn', value: '12' } } },
    [['user.id_number.value', 'INVALID_FIELD', 'must be exactly 9 digits for us_ssn']],
  ],
]

function many(length: number): Record<string, number> {
  return Object.fromEntries(Array.from({ length }, (_, index) => [`k${index}`, index]))
}
