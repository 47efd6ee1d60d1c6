create table items (
  client_id text not null,
  item_id text not null,
  access_token_hash text not null,
  institution_id text,
  institution_name text,
  webhook text,
  auth_method text,
  update_type text not null,
  consent_expiration_time text,
  -- JSON arrays of product names.
  available_products text not null,
  billed_products text not null,
  products text not null,
  consented_products text not null,
  -- What is wrong with the Item: an error code, and for which products (a JSON array; null: all).
  health_error text,
  health_reason text,
  health_products text,
  -- Whether its data goes on with the clock, and the seed of that data.
  evolves integer not null default 0,
  seed text,
  -- The user whose token it was linked with.
  user_id text,
  -- Null until transactions are initialized.
  transactions_status text,
  days_requested integer,
  -- Counts every change of the Item's transactions.
  transactions_sequence bigint not null default 0,
  -- Whether `/transactions/sync` was called: only then are its webhooks sent.
  uses_sync integer not null default 0,
  removed_at text,
  -- Why it was removed, as the client said.
  removal_reason_code text,
  removal_reason_note text,
  created_at text not null,
  primary key (client_id, item_id)
);

create unique index items_access_token on items (client_id, access_token_hash);

create table accounts (
  client_id text not null,
  item_id text not null,
  -- The place within the Item; it stays when the id changes.
  account_key integer not null,
  account_id text not null,
  type text not null,
  subtype text,
  name text not null,
  official_name text,
  mask text,
  holder_category text,
  -- Balances in minor units.
  available bigint,
  current bigint not null,
  credit_limit bigint,
  iso_currency_code text,
  unofficial_currency_code text,
  last_updated_datetime text,
  verification_status text,
  verification_name text,
  verification_insights text,
  verification_attempts integer not null default 0,
  persistent_account_id text,
  closed integer not null default 0,
  -- JSON arrays of owners: as shown, and as they will be after the next refresh.
  owners text not null,
  pending_owners text,
  -- The liability's fields as JSON, its two numbers excepted.
  liability text,
  -- Encrypted, as all numbers that follow.
  liability_account_number text,
  liability_payment_reference text,
  account_number text,
  routing_number text,
  wire_routing_number text,
  primary key (client_id, item_id, account_key)
);

create unique index accounts_account_id on accounts (client_id, account_id);

-- Each works once, and is gone then.
create table public_tokens (
  client_id text not null,
  token_hash text not null,
  item_id text not null,
  -- Encrypted: handed out by the exchange.
  access_token text not null,
  primary key (client_id, token_hash)
);
