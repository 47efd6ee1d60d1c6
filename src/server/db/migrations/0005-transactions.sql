-- What institutions know of transactions, and which of it each Item shows. Numbers come from
-- items.transactions_sequence, so that every change of an Item has one of its own.
create table transactions (
  client_id text not null,
  item_id text not null,
  transaction_id text not null,
  account_id text not null,
  date text not null,
  pending integer not null,
  -- The order in which they were written; no two of an Item have the same.
  insertion bigint not null,
  -- As the wire has it, with addresses relative to the service and the second edition's category.
  document text not null,
  original_description text,
  -- The first edition's category, as JSON.
  category_v1 text not null,
  -- When it was first shown, when it was last put among what is shown, and its latest change. All
  -- are null while the institution knows it and the Item has not pulled it.
  first_sequence bigint,
  added_sequence bigint,
  last_sequence bigint,
  -- The times before added_sequence in which it was shown: a JSON array of [from, until].
  earlier text,
  removed integer not null default 0,
  primary key (client_id, item_id, transaction_id)
);

create index transactions_changes on transactions (client_id, item_id, last_sequence)
  where last_sequence is not null;
create index transactions_account_changes
  on transactions (client_id, item_id, account_id, last_sequence)
  where last_sequence is not null;
-- Holds all that counting needs, so that the documents are not touched.
create index transactions_shown on transactions
  (client_id, item_id, date desc, insertion desc, account_id, removed, added_sequence)
  where removed = 0 and added_sequence is not null;
create index transactions_unseen on transactions (client_id, item_id, date)
  where removed = 0 and added_sequence is null;

-- How far the data of Items that go on with the clock has got.
create table transaction_evolutions (
  client_id text not null,
  item_id text not null,
  -- The last day that happened.
  evolved_on text not null,
  primary key (client_id, item_id)
);
