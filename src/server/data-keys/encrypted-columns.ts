/** Columns that hold encrypted values, and the primary key of their table. */
export interface EncryptedColumns {
  table: string
  key: readonly string[]
  columns: readonly string[]
}

/** The complete list. A test searches a filled database for others. */
export const encryptedColumns: readonly EncryptedColumns[] = [
  { table: 'settings', key: ['name'], columns: ['value'] },
  {
    table: 'accounts',
    key: ['client_id', 'item_id', 'account_key'],
    columns: [
      'liability_account_number',
      'liability_payment_reference',
      'account_number',
      'routing_number',
      'wire_routing_number',
    ],
  },
  { table: 'items', key: ['client_id', 'item_id'], columns: ['seed'] },
  { table: 'item_sources', key: ['client_id', 'item_id'], columns: ['client_user_id'] },
  { table: 'item_pulls', key: ['client_id', 'item_id'], columns: ['secret'] },
  { table: 'asset_reports', key: ['client_id', 'asset_report_id'], columns: ['ssn'] },
  {
    table: 'identity_verifications',
    key: ['client_id', 'id'],
    columns: ['share_key', 'id_number_value', 'evidence', 'results'],
  },
  {
    table: 'verification_sessions',
    key: ['client_id', 'session_id'],
    columns: ['drafts'],
  },
  { table: 'identity_checks', key: ['client_id', 'check_id'], columns: ['payload'] },
  {
    table: 'identity_verification_pictures',
    key: ['client_id', 'attempt_id', 'name'],
    columns: ['picture_key'],
  },
  { table: 'public_tokens', key: ['client_id', 'token_hash'], columns: ['access_token'] },
  { table: 'link_tokens', key: ['client_id', 'token_hash'], columns: ['link_token', 'user_data'] },
  {
    table: 'link_sessions',
    key: ['client_id', 'token_hash', 'link_session_id'],
    columns: ['results'],
  },
  {
    table: 'users',
    key: ['client_id', 'user_id'],
    columns: ['ssn_full', 'ssn_last_4', 'id_numbers'],
  },
  { table: 'wallets', key: ['client_id', 'wallet_id'], columns: ['account', 'sort_code', 'iban'] },
  { table: 'webhook_deliveries', key: ['client_id', 'webhook_id'], columns: ['body'] },
  { table: 'listened_webhooks', key: ['client_id', 'sequence'], columns: ['body'] },
  {
    table: 'webhook_attempts',
    key: ['client_id', 'webhook_id', 'number'],
    columns: ['answer'],
  },
  {
    table: 'request_log',
    key: ['client_id', 'sequence', 'request_id'],
    columns: ['bodies'],
  },
  { table: 'idempotency_keys', key: ['client_id', 'key_hash'], columns: ['answer'] },
  { table: 'webhook_keys', key: ['client_id', 'key_id'], columns: ['private_key'] },
]
