-- Balances are in minor units.
create table wallets (
  client_id text not null,
  wallet_id text not null,
  -- Greater than those before it: the order of the list.
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
