-- Items whose data comes from outside, such as from the files of a bank.
create table item_sources (
  client_id text not null,
  item_id text not null,
  -- What reads the source, such as `file`.
  connector text not null,
  institution_id text not null,
  -- A keyed hash of the client's own id of the user.
  user_hash text not null,
  -- That id, encrypted.
  client_user_id text not null,
  -- Which rule made the keys of `source_rows`.
  key_version integer not null,
  created_at text not null,
  primary key (client_id, item_id)
);

create index item_sources_user on item_sources
  (client_id, user_hash, institution_id, connector, created_at, item_id);

-- By which numbers a source names an account: keyed hashes of IBAN, or of bank and number.
create table source_numbers (
  client_id text not null,
  item_id text not null,
  number_hash text not null,
  account_key integer not null,
  primary key (client_id, item_id, number_hash)
);

create table source_accounts (
  client_id text not null,
  item_id text not null,
  account_key integer not null,
  -- The day of the balance that the account shows; null where no source told one.
  balance_on text,
  primary key (client_id, item_id, account_key)
);

-- Which transaction a row of a source became.
create table source_rows (
  client_id text not null,
  item_id text not null,
  account_key integer not null,
  -- Ids of different origins are not compared: `ofx`, `camt` and so on.
  origin text not null,
  -- A hash of the source's id, or of date, amount, text and occurrence.
  row_key text not null,
  transaction_id text not null,
  -- A hash of what the source said of it last.
  content text not null,
  primary key (client_id, item_id, account_key, origin, row_key)
);

-- Whether an origin knows a transaction already. The client does not come first: a server that knows
-- nothing of rows which were just written would take this index to find a `row_key`.
create index source_rows_transaction on source_rows (transaction_id);

-- Rows of a statement whose end has not been read yet, as JSON arrays of many.
create table staged_rows (
  client_id text not null,
  import_id text not null,
  place integer not null,
  rows text not null,
  -- Real time in ms: those of an import that was cut off go later.
  staged_at bigint not null,
  primary key (client_id, import_id, place)
);

-- What imports that were cut off have left.
create index staged_rows_age on staged_rows (client_id, staged_at);
