-- Balances are in minor units.
create table wallets (
  client_id text not null,
  wallet_id text not null,
  -- Counts up with each wallet of the client: the order of the list.
  sequence bigint not null,
  recipient_id text not null,
  iso_currency_code text not null,
  current bigint not null,
  available bigint not null,
  status text not null,
  -- Encrypted, as the sort code and the IBAN.
  account text,
  sort_code text,
  iban text,
  bic text,
  primary key (client_id, wallet_id)
);

create unique index wallets_list on wallets (client_id, sequence);

-- The latest sequence number of each client; taking one locks the row until the commit.
create table wallet_counters (
  client_id text primary key,
  last_sequence bigint not null
);
